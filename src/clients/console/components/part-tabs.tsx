// The parts of a page that each have an address of their own.
import { useLayoutEffect, useRef } from 'preact/hooks'

interface PartTabsProps {
  label: string
  parts: readonly { name: string; title: string; href: string }[]
  current: string
}

export function PartTabs({ label, parts, current }: PartTabsProps) {
  const nav = useRef<HTMLElement>(null)
  // On a phone not all of them have room.
  useLayoutEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return (
    <nav ref={nav} class="tabs" aria-label={label}>
      {parts.map(({ name, title, href }) => (
        <a key={name} href={href} {...(name === current && { 'aria-current': 'page' as const })}>
          {title}
        </a>
      ))}
    </nav>
  )
}
