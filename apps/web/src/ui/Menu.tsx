import {
  cloneElement,
  Suspense,
  useState,
  type HTMLAttributes,
  type MouseEvent,
  type ReactElement,
} from 'react'
import { LazyMenuPopup } from './lazy-menu.ts'
import type { MenuEntry } from './MenuEntries.tsx'

export type MenuProps = {
  /** The button that opens it. */
  trigger: ReactElement<HTMLAttributes<HTMLElement>>
  entries: readonly MenuEntry[]
  align?: 'start' | 'center' | 'end'
}

/** A menu that a button opens. */
export function Menu({ trigger, entries, align = 'end' }: MenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [wasOpen, setWasOpen] = useState(false)
  const button = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': anchor !== null,
    ...(anchor ? { 'data-popup-open': '' } : {}),
    // A press on the button of an open menu closes it (as any press beside it does) and must not open it again.
    onPointerDown: () => setWasOpen(anchor !== null),
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (!wasOpen) setAnchor(event.currentTarget)
      setWasOpen(false)
    },
  })
  return (
    <>
      {button}
      {anchor && (
        <Suspense>
          <LazyMenuPopup
            entries={entries}
            anchor={anchor}
            align={align}
            returnTo={anchor}
            onClose={() => setAnchor(null)}
          />
        </Suspense>
      )}
    </>
  )
}
