import { paneTexts } from '@cadmus/model/messages/text-pane'
import { Redo2, Save, Undo2 } from 'lucide-react'
import type { RefObject } from 'react'
import type { Command } from '../commands/command.ts'
import { draftKey } from '../drafts/draft-key.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { noChanges, saveInTurn } from '../drafts/save-all.ts'
import { notify } from '../ui/notices.ts'
import type { OpenText } from './open-text.ts'

export type TextContext = OpenText & { pane: RefObject<HTMLElement | null> }

/** Commands of the text of a manifest; the text of an entity has those of its document. */
export const manifestTextCommands: readonly Command<TextContext>[] = [
  {
    id: 'text.save',
    label: paneTexts.save,
    icon: Save,
    shortcut: 'mod+s',
    disabled: ({ session }) => (session.isSettled && unsaved(session).length === 0 ? noChanges : false),
    run: async ({ session }) => {
      await saveInTurn(unsaved(session).map(key => ({ store: entityStore, key })))
      const left = unsaved(session).flatMap(key => entityStore.get(key)?.draft.content.name ?? [])
      const faults = session.store.getState().reading?.problems.length ?? 0
      if (left.length > 0) notify('warning', paneTexts.entitiesNotSaved(left))
      else if (faults > 0) notify('info', paneTexts.notSaved(faults))
    },
  },
  ...(['undo', 'redo'] as const).map((direction): Command<TextContext> => ({
    id: `text.${direction}`,
    label: ({ steps }) => [paneTexts[direction], steps.next(direction)].filter(Boolean).join(': '),
    icon: direction === 'undo' ? Undo2 : Redo2,
    visible: ({ pane }) => pane.current?.contains(document.activeElement) ?? false,
    disabled: ({ steps }) => (steps.next(direction) === undefined ? paneTexts.nothing[direction] : false),
    run: ({ steps }) => steps.take(direction),
  })),
]

function unsaved({ model }: OpenText['session']) {
  const keys = (model?.entities ?? []).map(({ id }) => draftKey(id, undefined))
  return keys.filter(key => (entityStore.get(key)?.draft.changes ?? 0) > 0)
}
