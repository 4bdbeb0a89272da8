import { Menu as Base } from '@base-ui/react/menu'
import { useEffect, useRef } from 'react'
import { MenuEntries, type MenuEntry } from './MenuEntries.tsx'
import styles from './Menu.module.css'

export type MenuPopupProps = {
  entries: readonly MenuEntry[]
  /** Where it opens: an element or a place in the window. */
  anchor: Element | { getBoundingClientRect: () => DOMRect }
  align: 'start' | 'center' | 'end'
  /** What has the focus again afterwards. */
  returnTo: HTMLElement | null
  /** Opened by a key: the first line is marked, as the arrows would. */
  byKey?: boolean
  onClose: () => void
}

/** An open menu. Fetched when the first one opens. */
export function MenuPopup({ entries, anchor, align, returnTo, byKey = false, onClose }: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!byKey) return
    // After the popup itself has taken the focus; who has typed a letter of another line by then is there already.
    const frame = requestAnimationFrame(() => {
      if (popup.current?.querySelector('[role=menuitem]:focus')) return
      popup.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [byKey])
  return (
    <Base.Root
      defaultOpen
      onOpenChange={(open, details) => {
        // A press on the button that opened it is the button's to answer.
        const { target } = details.event
        if (!open && details.reason === 'outside-press' && target instanceof Node && returnTo?.contains(target)) {
          details.cancel()
        }
      }}
      onOpenChangeComplete={open => {
        if (!open) onClose()
      }}
    >
      <Base.Portal>
        <Base.Positioner anchor={anchor} align={align} sideOffset={4} className={styles['positioner']}>
          <Base.Popup
            ref={popup}
            className={styles['popup']}
            finalFocus={() => (dialogIsOver(returnTo) ? false : returnTo)}
          >
            <MenuEntries entries={entries} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** What a line of the menu has opened keeps the focus; a dialog that the menu itself is in gives it back like any page. */
function dialogIsOver(returnTo: HTMLElement | null): boolean {
  const dialogs = document.querySelectorAll(':is([role=dialog], [role=alertdialog]):not([data-closed])')
  return Array.from(dialogs).some(dialog => !dialog.contains(returnTo))
}
