import { useEffect, useRef } from 'react'

/** While `active`, knows of a press of the pointer from its beginning. Answers the wait until what it is for was done, if there is one now. */
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
        // After the click that comes with it.
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
