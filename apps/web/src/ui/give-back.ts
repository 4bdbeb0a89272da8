import { useEffect, useLayoutEffect, useRef } from 'react'
import { copyText } from './copy-text.ts'
import { notify } from './notices.ts'

const shownAtMost = 500

/**
 * Says that something that was typed was not taken, with what that was, where its field is gone. It stays until it is dismissed.
 * `hidden`: what was typed is shown to nobody, as a password.
 */
export function giveBack(typed: string, label: string, problem: string, { hidden = false } = {}): void {
  const quoted = `"${typed.length > shownAtMost ? `${typed.slice(0, shownAtMost)}…` : typed}"`
  const words = `${hidden ? 'What was typed' : quoted} was not taken as ${label}: ${problem}`
  notify('error', words, { label: 'Copy', run: () => void copyText(typed) }, { stays: true })
}

/**
 * Gives back what is entered in a dialog that goes with what it was opened for, as where somebody else deletes that. Answers what says
 * that the person decided; `entered` null: nothing is.
 */
export function useGivenBack(entered: string | null, label: string): () => void {
  const latest = useRef(entered)
  const isDecided = useRef(false)
  useLayoutEffect(() => {
    latest.current = entered
  })
  useEffect(
    () => () => {
      const { current } = latest
      if (current === null || isDecided.current) return
      giveBack(current, label, 'what it was for is gone.')
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- What is said is of the dialog that goes.
    [],
  )
  return () => {
    isDecided.current = true
  }
}
