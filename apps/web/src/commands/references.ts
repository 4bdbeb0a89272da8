import type { ReferenceItem } from '@cadmus/model/contract/shared'
import { type OnReferences, onReferencesChoices } from '@cadmus/model/detach'
import { messages } from '@cadmus/model/messages'
import { referencesTo, referencesToAttributes, referencesToInherited } from '../api/entities.ts'
import { ApiError } from '../api/error.ts'
import { confirm, type Question, type QuestionLink } from '../workbench/confirm.ts'

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
  return referringOf(references, totalElements)
}

/** The same for attributes that an unsaved edit takes away. */
export async function referringToAttributes(id: number, uids: readonly string[]): Promise<Referring> {
  // Where it cannot be found out now the save will ask.
  const references = await referencesToAttributes(id, uids).catch(() => [])
  return referringOf(references.slice(0, shown), references.length)
}

/** The same for what an unsaved edit makes it inherit no more; `uids`: the columns that something refers to. */
export async function referringToInherited(id: number): Promise<Referring & { uids: readonly string[] }> {
  const references = await referencesToInherited(id).catch(() => [])
  const uids = new Set(references.flatMap(({ target }) => target.attribute?.uid ?? []))
  return { ...referringOf(references.slice(0, shown), references.length), uids: [...uids] }
}

/**
 * Makes a change. Where the server refuses it because others refer to what it takes away, asks what becomes of them and makes it
 * so. Undefined: the person thought better of it.
 */
export async function askingOfReferences<T>(
  question: Pick<Question, 'title' | 'text' | 'confirmLabel' | 'danger'>,
  change: (onReferences?: OnReferences) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await change()
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.references.length === 0) throw failure
    const { asked, chosen } = referringOf(failure.references.slice(0, shown), failure.references.length)
    return (await confirm({ ...question, ...asked })) ? change(chosen()) : undefined
  }
}

function referringOf(references: readonly ReferenceItem[], totalElements: number): Referring {
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

function linkOf(reference: ReferenceItem): QuestionLink {
  const { kind, item, target } = reference
  const { kinds, column } = messages.referring
  const what = kinds[kind](item)
  const note = target.attribute ? column(what, target.name, target.attribute.name) : what
  return { ...placeOfReference(reference), note }
}

/** The document that refers, and in which of its parts; of a manifest's configuration that, not the manifest. */
export function placeOfReference({ kind, document, id, name, path }: ReferenceItem): Omit<QuestionLink, 'note'> {
  const tab = partOf[kind]
  if (tab === undefined) return { document: { kind: document, id, name, path } }
  return { document: { kind: 'configuration', id, name: `${name} Configuration`, path }, tab }
}

const partOf: { readonly [K in ReferenceItem['kind']]?: string } = {
  aggregateQuery: 'queries',
  excludedOperation: 'api',
  sotEntity: 'service',
}
