import { useEffect, useLayoutEffect, useRef } from 'react'
import { copyText } from './copy-text.ts'
import { notify } from './notices.ts'

const maxShown = 500

/**
 * Notifies that text was not applied, with the text itself, because its field was removed. The notice remains until
 * dismissed. `hidden`: the text is a secret and is not shown.
 */
export function returnInput(typed: string, label: string, problem: string, { hidden = false } = {}): void {
  const quoted = `"${typed.length > maxShown ? `${typed.slice(0, maxShown)}…` : typed}"`
  const words = `${hidden ? 'Your input' : quoted} was not applied to ${label}: ${problem}`
  notify('error', words, { label: 'Copy', run: () => void copyText(typed) }, { stays: true })
}

/**
 * Returns input of a dialog that is not closed by the user, for example because its object was deleted. Returns a
 * function to call once the user has decided; `entered` null: no input.
 */
export function useReturnedInput(entered: string | null, label: string): () => void {
  const latest = useRef(entered)
  const isDecided = useRef(false)
  useLayoutEffect(() => {
    latest.current = entered
  })
  useEffect(
    () => () => {
      const { current } = latest
      if (current === null || isDecided.current) return
      returnInput(current, label, 'the edited object no longer exists.')
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- The message concerns the dialog that goes.
    [],
  )
  return () => {
    isDecided.current = true
  }
}
