import { messages } from '@cadmus/model/messages'
import type { RefObject } from 'react'
import { useCommands } from '../../commands/use-commands.ts'
import type { PastedInto } from '../../drafts/paste-entities.ts'
import { stepStackOf } from '../../drafts/step-stack.ts'
import { isModelText } from '../../text/pasted.ts'
import { notify } from '../../ui/notices.ts'
import { usePaste } from '../../ui/use-paste.ts'

type Target = { manifest: PastedInto; locked: string | null }

/** Takes a list of attributes of several entities that was copied in another program. */
export function useListPaste(ref: RefObject<HTMLElement | null>, isExpected: boolean, { manifest, locked }: Target) {
  usePaste(ref, isExpected, data => {
    // The browser clears the data after the event.
    const [text, html] = [data.getData('text/plain'), data.getData('text/html')]
    if ((text === '' && html === '') || isModelText(text)) return false
    if (locked === null) void paste(manifest, { text, html })
    else notify('info', locked)
    return true
  })
}

async function paste(manifest: PastedInto, texts: { text: string; html: string }): Promise<void> {
  try {
    const { pasteEntities } = await import('../../drafts/paste-entities.ts')
    await pasteEntities(manifest, texts)
  } catch {
    notify('error', messages.failed.unexpected)
  }
}

const noContext = {}

/** Ctrl+Z takes back the pastes into a manifest while its entities are shown. */
export function PasteSteps({ manifestId }: { manifestId: number }): null {
  useCommands(stepStackOf('paste', manifestId).commands, noContext)
  return null
}
