import { useEffect, useRef } from 'react'

/**
 * Tracks pointer presses while `active`. Returns a function that gives a promise for the end of the current press, or
 * null.
 */
export function usePress(active: boolean): () => Promise<void> | null {
  const press = useRef<Promise<void> | null>(null)
  useEffect(() => {
    if (!active) return
    const leaving = new AbortController()
    addEventListener('pointerdown', () => void begin(), { capture: true, signal: leaving.signal })
    return () => leaving.abort()

    async function begin() {
      const over = Promise.withResolvers<void>()
      press.current = over.promise
      const ended = new AbortController()
      const end = () => {
        ended.abort()
        // Resolves after the click event of the press.
        setTimeout(over.resolve)
      }
      for (const type of ['pointerup', 'pointercancel'])
        addEventListener(type, end, { capture: true, signal: ended.signal })
      await over.promise
      if (press.current === over.promise) press.current = null
    }
  }, [active])
  return () => press.current
}
