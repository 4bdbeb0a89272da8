import { useEffect, useLayoutEffect, useRef } from 'react'
import { holdTyped, type ApplyTyped } from './typed-text.ts'

type Typed = {
  text: string
  validate: ((text: string) => string | null | Promise<string | null>) | undefined
  onApply: (text: string) => void | Promise<void>
}

/** Lets commands and the next document apply the text of a field. */
export function useTyped(isPending: boolean, typed: Typed, onRefused: (problem: string) => void): void {
  const latest = useRef<ApplyTyped | null>(null)
  useLayoutEffect(() => {
    latest.current = isPending ? () => submit(typed, onRefused) : null
  })
  useLayoutEffect(() => (isPending ? holdTyped(() => latest.current?.() ?? true) : undefined), [isPending])
  useEffect(
    () => () => {
      // The field may disappear without blur, for example by the browser's Back.
      void latest.current?.()
    },
    [],
  )
}

/** The caller of `apply` shows its error. */
function attempt(apply: () => void | Promise<void>): boolean | Promise<void> {
  try {
    return apply() ?? true
  } catch {
    return false
  }
}

function submit({ text, validate, onApply }: Typed, onRefused: (problem: string) => void): boolean | Promise<boolean> {
  const take = (problem: string | null): boolean | Promise<boolean> => {
    if (problem !== null) {
      onRefused(problem)
      return false
    }
    const applied = attempt(() => onApply(text))
    if (!(applied instanceof Promise)) return applied
    return applied.then(
      () => true,
      () => false,
    )
  }
  const problem = validate?.(text) ?? null
  return problem instanceof Promise ? problem.then(take) : take(problem)
}
