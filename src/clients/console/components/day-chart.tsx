// Changes per day as a picture, with the numbers as a table behind it for whoever cannot see it.
import type { Day } from '../state/changes-per-day.ts'
import { dayText, numberText } from '../state/format.ts'

const WIDTH = 640
const HEIGHT = 140
const FOOT = 18

export function DayChart({ days }: { days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(({ count }) => count ?? 0))
  const step = WIDTH / days.length
  const known = days.find(({ count }) => count !== undefined)
  const words = ({ count, isMore }: Day) =>
    count === undefined ? 'not counted' : `${numberText(count)}${isMore ? '+' : ''}`
  const heightOf = (count: number) => (count / most) * (HEIGHT - FOOT - 14)
  return (
    <figure class="stack">
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <line x1="0" x2={WIDTH} y1={HEIGHT - FOOT} y2={HEIGHT - FOOT} />
        {days.map((each, at) => (
          <rect
            key={each.day}
            x={at * step + step * 0.15}
            width={step * 0.7}
            y={HEIGHT - FOOT - heightOf(each.count ?? 0)}
            height={heightOf(each.count ?? 0)}
            rx="2"
          >
            <title>{`${dayText(each.day)}: ${words(each)}`}</title>
          </rect>
        ))}
      </svg>
      <figcaption class="stack">
        <span class="line spread soft" aria-hidden="true">
          <span>{dayText(days[0]?.day ?? '')}</span>
          <span>{dayText(days.at(-1)?.day ?? '')}</span>
        </span>
        {known && known !== days[0] && (
          <span class="soft">There were too many to count them all: days before {dayText(known.day)} are missing.</span>
        )}
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
              {days.map(each => (
                <tr key={each.day}>
                  <th scope="row">{dayText(each.day)}</th>
                  <td class="number">{words(each)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </figcaption>
    </figure>
  )
}
