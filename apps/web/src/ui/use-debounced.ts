import { useEffect, useState } from 'react'

/** The value as it was once nothing changed for `delay` milliseconds. */
export function useDebounced<T>(value: T, delay: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay)
    return () => clearTimeout(timer)
  }, [value, delay])
  return settled
}

/** False until `delay` milliseconds passed with `active` set, so that what is quick shows no intermediate state. */
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

/** True while `active`, and `duration` milliseconds longer. */
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
