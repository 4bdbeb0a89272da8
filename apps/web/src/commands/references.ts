import type { ReferenceItem } from '@cadmus/model/contract/shared'
import { type OnReferences, onReferencesChoices } from '@cadmus/model/detach'
import { messages } from '@cadmus/model/messages'
import { referencesTo, referencesToAttributes, referencesToInherited } from '../api/entities.ts'
import { ApiError } from '../api/error.ts'
import type { Scope } from '../api/scope.ts'
import { confirm, type Question, type QuestionLink } from '../workbench/confirm.ts'

/** The confirmation for references to a deleted object; undefined without references. */
export type Referring = {
  additions: Pick<Question, 'affected' | 'choice'>
  chosen: () => OnReferences | undefined
}

const shown = 100

/** Loads the references to an object for the confirmation of its deletion. */
export async function referring(kind: 'entity' | 'manifest', id: number, scope: Scope): Promise<Referring> {
  const { references, totalElements } = await referencesTo(kind, id, shown, { scope }).catch(() => ({
    references: [],
    totalElements: 0,
  }))
  return referringOf(references, totalElements)
}

/**
 * As `referring`, for entities that are deleted together: their references to each other are not listed. `order`: their ids, each before
 * those that it refers to, as far as they do not refer to each other in a circle.
 */
export async function referringToAll(ids: readonly number[], scope: Scope): Promise<Referring & { order: number[] }> {
  const left = new Set(ids)
  const others: ReferenceItem[] = []
  const referringIds = new Map<number, number[]>()
  for (const id of ids) {
    const { references } = await referencesTo('entity', id, shown, { scope }).catch(() => ({ references: [] }))
    const isAmong = (item: ReferenceItem) => item.document === 'entity' && left.has(item.id)
    others.push(...references.filter(item => !isAmong(item)))
    referringIds.set(
      id,
      references.filter(item => isAmong(item) && item.id !== id).map(item => item.id),
    )
  }
  const order: number[] = []
  const isFree = (id: number) => !referringIds.get(id)?.some(one => left.has(one))
  while (left.size > 0) {
    const [next = -1] = [...left].filter(isFree).concat([...left])
    left.delete(next)
    order.push(next)
  }
  return { ...referringOf(others.slice(0, shown), others.length), order }
}

/** Loads the references to attributes that an unsaved edit removes. */
export async function referringToAttributes(id: number, uids: readonly string[]): Promise<Referring> {
  // If the references cannot be read now, the save asks for confirmation.
  const references = await referencesToAttributes(id, uids).catch(() => [])
  return referringOf(references.slice(0, shown), references.length)
}

/** Loads the references to attributes that an unsaved edit stops inheriting. `uids`: the uids of the attributes. */
export async function referringToInherited(id: number): Promise<Referring & { uids: readonly string[] }> {
  const references = await referencesToInherited(id).catch(() => [])
  const uids = new Set(references.flatMap(({ target }) => target.attribute?.uid ?? []))
  return { ...referringOf(references.slice(0, shown), references.length), uids: [...uids] }
}

/**
 * Runs a change. If the server refuses it because of references, asks the user how to handle the references and repeats
 * the change. Undefined if the user cancelled.
 */
export async function askAboutReferences<T>(
  question: Pick<Question, 'title' | 'text' | 'confirmLabel' | 'danger'>,
  change: (onReferences?: OnReferences) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await change()
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.references.length === 0) throw failure
    const { additions, chosen } = referringOf(failure.references.slice(0, shown), failure.references.length)
    return (await confirm({ ...question, ...additions })) ? change(chosen()) : undefined
  }
}

function referringOf(references: readonly ReferenceItem[], totalElements: number): Referring {
  if (references.length === 0) return { additions: {}, chosen: () => undefined }
  let chosen: OnReferences = 'keep'
  const { referring: words } = messages
  const has = (...kinds: ReferenceItem['kind'][]) => references.some(item => kinds.includes(item.kind))
  const choice = {
    label: words.relationships,
    options: onReferencesChoices.map(value => ({ value, label: words[value] })),
    value: chosen,
    choose: (value: string) => void (chosen = onReferencesChoices.find(choice => choice === value) ?? chosen),
  }
  const notes = [
    ...(has('extends') ? [words.heirs] : []),
    ...(has('aggregateQuery', 'excludedOperation', 'sotEntity') ? [words.configurations] : []),
  ]
  const affected = { heading: words.referredTo(totalElements), links: references.map(linkOf), notes }
  return { additions: { affected, ...(has('relationship') ? { choice } : {}) }, chosen: () => chosen }
}

/** A reference as a link in a question. */
export function linkOf(reference: ReferenceItem): QuestionLink {
  const { kind, item, target } = reference
  const { kinds, column } = messages.referring
  const what = kinds[kind](item)
  const note = target.attribute ? column(what, target.name, target.attribute.name) : what
  return { ...placeOfReference(reference), note }
}

/** The referring document and its tab; for a manifest's configuration, the configuration. */
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
