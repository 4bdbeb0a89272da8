import { useEffect, useState } from 'react'

/** Whether something has been going on for some milliseconds without a break: then it is time to say more than that it does. */
export function useLate(isGoingOn: boolean, milliseconds: number): boolean {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    if (!isGoingOn) return
    const timer = setTimeout(() => setIsLate(true), milliseconds)
    return () => {
      clearTimeout(timer)
      setIsLate(false)
    }
  }, [isGoingOn, milliseconds])
  return isLate
}
