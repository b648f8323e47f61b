// Changes per day as a picture, with the numbers as a table behind it for whoever cannot see it.
import { dayText, numberText } from '../state/format.ts'

export interface Day {
  day: string
  count: number
  /** More than could be counted. */
  isMore: boolean
}

const WIDTH = 640
const HEIGHT = 140
const FOOT = 18

export function DayChart({ days }: { days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(({ count }) => count))
  const step = WIDTH / days.length
  const heightOf = (count: number) => (count / most) * (HEIGHT - FOOT - 14)
  return (
    <figure class="stack">
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <line x1="0" x2={WIDTH} y1={HEIGHT - FOOT} y2={HEIGHT - FOOT} />
        {days.map(({ day, count, isMore }, at) => (
          <rect
            key={day}
            x={at * step + step * 0.15}
            width={step * 0.7}
            y={HEIGHT - FOOT - heightOf(count)}
            height={heightOf(count)}
            rx="2"
          >
            <title>{`${dayText(day)}: ${numberText(count)}${isMore ? '+' : ''}`}</title>
          </rect>
        ))}
      </svg>
      <figcaption class="stack">
        <span class="line spread soft" aria-hidden="true">
          <span>{dayText(days[0]?.day ?? '')}</span>
          <span>{dayText(days.at(-1)?.day ?? '')}</span>
        </span>
        <details>
          <summary class="soft">The numbers</summary>
          <table class="list">
            <thead>
              <tr>
                <th scope="col">Day (UTC)</th>
                <th scope="col" class="number">
                  Changes
                </th>
              </tr>
            </thead>
            <tbody>
              {days.map(({ day, count, isMore }) => (
                <tr key={day}>
                  <th scope="row">{dayText(day)}</th>
                  <td class="number">
                    {numberText(count)}
                    {isMore && '+'}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </figcaption>
    </figure>
  )
}
