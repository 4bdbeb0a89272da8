import { cloneElement, useState, type HTMLAttributes, type MouseEvent, type ReactElement } from 'react'
import { Boundary } from './Boundary.tsx'
import { LazyMenuPopup, notifyUnopened } from './lazy-menu.ts'
import type { MenuEntry } from './MenuEntries.tsx'

export type MenuProps = {
  trigger: ReactElement<HTMLAttributes<HTMLElement>>
  entries: readonly MenuEntry[]
  align?: 'start' | 'center' | 'end'
  /** Called once the menu is gone and the trigger has the focus. */
  onClosed?: () => void
}

export function Menu({ trigger, entries, align = 'end', onClosed }: MenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [byKey, setByKey] = useState(false)
  const button = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': anchor !== null,
    ...(anchor ? { 'data-popup-open': '' } : {}),
    onClick: (event: MouseEvent<HTMLElement>) => {
      // Clicks caused by a key have detail 0.
      setByKey(event.detail === 0)
      setAnchor(anchor ? null : event.currentTarget)
    },
  })
  return (
    <>
      {button}
      {anchor && (
        <Boundary onFailure={() => notifyUnopened(() => setAnchor(null))}>
          <LazyMenuPopup
            entries={entries}
            anchor={anchor}
            align={align}
            returnTo={anchor}
            byKey={byKey}
            onClose={() => {
              setAnchor(null)
              onClosed?.()
            }}
          />
        </Boundary>
      )}
    </>
  )
}
