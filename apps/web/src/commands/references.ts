import type { ReferenceItem } from '@cadmus/model/contract/shared'
import { type OnReferences, onReferencesChoices } from '@cadmus/model/detach'
import { messages } from '@cadmus/model/messages'
import { referencesTo } from '../api/entities.ts'
import type { Question, QuestionLink } from '../workbench/confirm.ts'

/** What a deletion does with what refers to the deleted; undefined while nothing does. */
export type Referring = {
  /** What the question adds to its own words. */
  asked: Pick<Question, 'affected' | 'choice'>
  chosen: () => OnReferences | undefined
}

const shown = 100

/** What refers to it, as the question before its deletion shows it. */
export async function referring(kind: 'entity' | 'manifest', id: number): Promise<Referring> {
  const { references, totalElements } = await referencesTo(kind, id, shown).catch(() => ({
    references: [],
    totalElements: 0,
  }))
  if (references.length === 0) return { asked: {}, chosen: () => undefined }
  let chosen: OnReferences = 'keep'
  const { referring: words } = messages
  const has = (...kinds: ReferenceItem['kind'][]) => references.some(item => kinds.includes(item.kind))
  const choice = {
    label: words.relationships,
    options: onReferencesChoices.map(value => ({ value, label: words[value] })),
    value: chosen,
    choose: (value: string) => void (chosen = onReferencesChoices.find(known => known === value) ?? chosen),
  }
  const notes = [
    ...(has('extends') ? [words.heirs] : []),
    ...(has('aggregateQuery', 'excludedOperation', 'sotEntity') ? [words.configurations] : []),
  ]
  const affected = { heading: words.referredTo(totalElements), links: references.map(linkOf), notes }
  return { asked: { affected, ...(has('relationship') ? { choice } : {}) }, chosen: () => chosen }
}

function linkOf({ kind, document, id, name, item }: ReferenceItem): QuestionLink {
  return { document: { kind: document, id, name }, note: messages.referring.kinds[kind](item) }
}
