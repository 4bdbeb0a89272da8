import { useLayoutEffect, useRef, useState } from 'react'

/** A stable object with the functions of the last render, so that memoised parts need no re-render. */
export function useLatest<T extends Record<string, (...args: never[]) => unknown>>(now: T): T {
  const latest = useRef(now)
  useLayoutEffect(() => {
    latest.current = now
  })
  const [stable] = useState(() => {
    const entries = Object.keys(now).map(name => [
      name,
      (...args: never[]) => (latest.current[name] as (...all: never[]) => unknown)(...args),
    ])
    return Object.fromEntries(entries) as T
  })
  return stable
}
