import { useEffect, useEffectEvent } from 'react'

/** By dialog, the topmost last: what asks there whether what was entered may be lost. */
const holders = new Map<symbol, () => void>()

/** Tells, while it is so, that a dialog holds something that nobody has saved; `ask` asks there whether it may be lost. */
export function useEntered(entered: boolean, ask: () => void): void {
  const asked = useEffectEvent(ask)
  useEffect(() => {
    if (!entered) return
    const holder = Symbol('entered')
    holders.set(holder, () => asked())
    return () => void holders.delete(holder)
  }, [entered])
}

/** Whether closing or loading the page anew would lose what was entered in a dialog. */
export function isEntered(): boolean {
  return holders.size > 0
}

/** Asks in the topmost dialog that holds something. */
export function askEntered(): void {
  ;[...holders.values()].at(-1)?.()
}
