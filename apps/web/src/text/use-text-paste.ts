import type { RefObject } from 'react'
import { sidePanel, toggleText } from '../commands/side-panel.ts'
import { usePaste } from '../ui/use-paste.ts'
import { isModelText } from './pasted.ts'

/** Takes a pasted model as long as it is expected. */
export function useTextPaste(
  ref: RefObject<HTMLElement | null>,
  isExpected: boolean,
  onText: (text: string) => void,
): void {
  usePaste(ref, isExpected, data => {
    const text = data.getData('text/plain')
    if (!isModelText(text)) return false
    onText(text)
    return true
  })
}

const awaited = new Map<number, string>()

/** Shows a text beside a new manifest as soon as that is opened. */
export function setPastedIn(manifestId: number, text: string): void {
  awaited.set(manifestId, text)
  if (sidePanel.getState().manifest === null) toggleText('manifest')
}

/** Takes the text of a new manifest, once. */
export function takePastedIn(manifestId: number): string | null {
  const text = awaited.get(manifestId) ?? null
  awaited.delete(manifestId)
  return text
}
