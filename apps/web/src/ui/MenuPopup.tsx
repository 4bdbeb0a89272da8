import { Menu as Base } from '@base-ui/react/menu'
import { useEffect, useRef } from 'react'
import { MenuEntries, type MenuEntry } from './MenuEntries.tsx'
import { useOpenPopup } from './open-popups.ts'
import styles from './Menu.module.css'

export type MenuPopupProps = {
  entries: readonly MenuEntry[]
  /** Anchor of the popup: an element or a position in the window. */
  anchor: Element | { getBoundingClientRect: () => DOMRect }
  align: 'start' | 'center' | 'end'
  /** Receives the focus after closing. */
  returnTo: HTMLElement | null
  /** Opened by keyboard: the first entry is highlighted. */
  byKey?: boolean
  onClose: () => void
}

export function MenuPopup({ entries, anchor, align, returnTo, byKey = false, onClose }: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null)
  const actions = useRef<Base.Root.Actions>(null)
  useOpenPopup(true, () => actions.current?.close())
  useEffect(() => {
    if (!byKey) return
    // Runs after the popup has the focus; a letter typed before may have moved it already.
    const frame = requestAnimationFrame(() => {
      if (popup.current?.querySelector('[role=menuitem]:focus')) return
      popup.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [byKey])
  return (
    <Base.Root
      defaultOpen
      actionsRef={actions}
      onOpenChange={(open, details) => {
        // The opening button handles its own clicks.
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
            finalFocus={() => (dialogIsOver(returnTo) || returnTo?.isConnected === false ? false : returnTo)}
          >
            <MenuEntries entries={entries} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** An element focused by the menu's action keeps the focus; a dialog that contains the menu gets it back. */
function dialogIsOver(returnTo: HTMLElement | null): boolean {
  const dialogs = document.querySelectorAll(':is([role=dialog], [role=alertdialog]):not([data-closed])')
  return Array.from(dialogs).some(dialog => !dialog.contains(returnTo))
}
