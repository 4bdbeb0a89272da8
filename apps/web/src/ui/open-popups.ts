import { useEffect, useEffectEvent } from 'react'

const popups = new Set<() => void>()

/** Lets an open menu or list be closed by a command that is run by its key: what it shows would lie below. */
export function useOpenPopup(isOpen: boolean, close: () => void): void {
  const closed = useEffectEvent(close)
  useEffect(() => {
    if (!isOpen) return
    const popup = () => closed()
    popups.add(popup)
    return () => void popups.delete(popup)
  }, [isOpen])
}

/** Closes all open menus and lists. Returns whether there were any. */
export function closePopups(): boolean {
  const open = [...popups]
  for (const close of open) close()
  return open.length > 0
}
