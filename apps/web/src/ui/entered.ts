import { useEffect, useEffectEvent } from 'react'

/** Open dialogs with input, topmost last, with their confirmation. */
const holders = new Map<symbol, () => void>()

/** Registers a dialog with unsaved input; `ask` shows a confirmation to discard it. */
export function useEntered(entered: boolean, ask: () => void): void {
  const askNow = useEffectEvent(ask)
  useEffect(() => {
    if (!entered) return
    const holder = Symbol('entered')
    holders.set(holder, () => askNow())
    return () => void holders.delete(holder)
  }, [entered])
}

/** Whether closing or reloading the page would lose input of a dialog. */
export function isEntered(): boolean {
  return holders.size > 0
}

export function askEntered(): void {
  ;[...holders.values()].at(-1)?.()
}
