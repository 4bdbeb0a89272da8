import { useEffect, useState } from 'react'

/** The value after it has been stable for `delay` milliseconds. */
export function useDebounced<T>(value: T, delay: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay)
    return () => clearTimeout(timer)
  }, [value, delay])
  return settled
}

/** True after `active` has been set for `delay` milliseconds, so that fast operations show no intermediate state. */
export function useDelayed(active: boolean, delay: number): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => setLate(true), delay)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [active, delay])
  return active && late
}

/** True while `active` and for `duration` milliseconds afterwards. */
export function useHeld(active: boolean, duration: number): boolean {
  const [held, setHeld] = useState(active)
  if (active && !held) setHeld(true)
  useEffect(() => {
    if (active) return
    const timer = setTimeout(() => setHeld(false), duration)
    return () => clearTimeout(timer)
  }, [active, duration])
  return held
}
