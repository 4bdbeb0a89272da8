import { useEffect } from 'react'

const holders = new Set<symbol>()

/** Tells, while it is so, that a dialog holds something that nobody has saved. */
export function useEntered(entered: boolean): void {
  useEffect(() => {
    if (!entered) return
    const holder = Symbol('entered')
    holders.add(holder)
    return () => void holders.delete(holder)
  }, [entered])
}

/** Whether closing or loading the page anew would lose what was entered in a dialog. */
export function isEntered(): boolean {
  return holders.size > 0
}
