import { newEntityContent, type EntityContent } from '@cadmus/model/entity'
import { mayEditAttributes } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { sheetTexts } from '@cadmus/model/messages/sheet'
import { paneTexts } from '@cadmus/model/messages/text-pane'
import { foldName } from '@cadmus/model/paths'
import { readClipboard } from '@cadmus/model/sheet/clipboard'
import { type CellLookups, sheetColumns } from '@cadmus/model/sheet/columns'
import { type EntityRows, rowsByEntity } from '@cadmus/model/sheet/entity-rows'
import { type PasteBlock, pasteBlock } from '@cadmus/model/sheet/paste'
import { type CellsWritten, invalidCells, type SheetProblems, writeCells } from '@cadmus/model/sheet/write-cells'
import { createEntities } from '../api/entities.ts'
import { messageOf } from '../api/error.ts'
import { currentScope, isAdministration, scopeText } from '../api/scope.ts'
import { undoCreationAction } from '../commands/restore.ts'
import { dismissText, notify } from '../ui/notices.ts'
import { holdTyped, trackPending } from '../ui/typed-text.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { findEnumerations } from './cell-lookups.ts'
import { addRefusedCells } from './cell-problems.ts'
import { entitiesToEdit } from './documents-to-edit.ts'
import { draftKey } from './draft-key.ts'
import { type DraftStep, editDraft } from './edit-draft.ts'
import { entityDrafts } from './entity-draft.ts'
import { entityStore } from './entity-store.ts'
import { readHtmlTable } from './html-table.ts'
import { linkedStep } from './linked-steps.ts'
import { findListTargets, type ListedEntity } from './list-targets.ts'
import { stepStackOf } from './step-stack.ts'

/** A manifest with its entities. */
export type PastedInto = { id: number; name: string; entityPaths: readonly { id: number; name: string }[] }

/** The texts of a clipboard, which the browser clears after the event. */
export type PastedTexts = { text: string; html: string }

type Document = Awaited<ReturnType<typeof entitiesToEdit>>[number]
type Part = ListedEntity & { document: Document; block: PasteBlock }
type Created = { id: number; name: string }

class Refusal extends Error {}

/**
 * Pastes a list of attributes into the entities that it names, as one step over their drafts. Entities that the manifest does not have are
 * created first. A list that is refused changes nothing.
 */
export async function pasteEntities(manifest: PastedInto, texts: PastedTexts): Promise<void> {
  const work = paste(manifest, texts).catch(failure => {
    notify('error', failure instanceof Refusal ? failure.message : messageOf(failure, messages.failed.unexpected))
  })
  void trackPending(work)
  // A save waits for the drafts.
  const release = holdTyped(async () => work.then(() => true))
  await work.finally(release)
}

async function paste(manifest: PastedInto, { text, html }: PastedTexts): Promise<void> {
  const scope = currentScope()
  const { cells } = accepted(readClipboard({ text, table: () => readHtmlTable(html) }))
  const { entities } = accepted(rowsByEntity(cells))
  const progress = sheetTexts.pastingInto(entities.length)
  notify('info', progress, undefined, { stays: true })
  try {
    const members = new Map(entities.map(rows => [rows, memberOf(manifest, rows)]))
    const [listed, missing] = [entities.filter(rows => members.get(rows)), entities.filter(rows => !members.get(rows))]
    const existing = await entitiesToEdit(listed.flatMap(rows => members.get(rows)?.id ?? []))
    // All are checked before the first is created or changed.
    for (const [at, rows] of listed.entries()) partOf(existing[at], rows)
    for (const rows of missing) blockOf(newEntityContent({ name: rows.entity }), rows)
    const { created, failure } = await createEntities(
      missing.map(({ entity }) => entity),
      manifest.id,
      scope,
    )
    if (failure !== undefined) throw new Refusal(createdSome(created, missing, failure))
    const fresh = await entitiesToEdit(created.map(({ id }) => id))
    const documents = [...existing, ...fresh]
    const parts = [...listed, ...missing].map((rows, at) => partOf(documents[at], rows))
    const targetFor = await findListTargets(parts, manifest)
    const enumerations = await findEnumerations({ targetManifest: manifest })
    const lookupsFor = (part: ListedEntity): CellLookups => ({
      target: targetFor(part),
      // Attributes have enumerations of the manifest that their entity belongs to.
      enumerations: part.saved.targetManifest?.id === manifest.id ? enumerations : [],
    })
    if (scopeText(currentScope()) !== scopeText(scope)) throw new Refusal(messages.locked.organisation)
    write(manifest, parts, { lookupsFor, created })
  } finally {
    dismissText(progress)
  }
}

function accepted<T extends object>(read: T | { refusal: string }): T {
  if ('refusal' in read) throw new Refusal(read.refusal)
  return read
}

function memberOf({ entityPaths }: PastedInto, { entity }: EntityRows) {
  const [member, ...others] = entityPaths.filter(({ name }) => foldName(name) === foldName(entity))
  if (others.length > 0) throw new Refusal(sheetTexts.severalEntities(entity))
  return member
}

function createdSome(created: readonly Created[], missing: readonly EntityRows[], failure: unknown): string {
  const names = created.map(({ name }) => name)
  const failed = missing[created.length]?.entity ?? ''
  return paneTexts.createdSome(names, failed, messageOf(failure, messages.failed.createEntity))
}

/** The present state of an entity with the cells of its new rows. */
function partOf(document: Document | undefined, rows: EntityRows): Part {
  if (!document) throw new Error('The entity was not read.')
  const { saved } = document
  const verdict = mayEditAttributes(saved)
  if (!verdict.allowed) throw new Refusal(sheetTexts.refusedIn(saved.name, verdict.reason))
  const open = entityStore.get(draftKey(saved.id, undefined))
  if (open?.state === 'deleted') throw new Refusal(sheetTexts.refusedIn(saved.name, messages.deleted.locked))
  const content = open?.draft.content ?? entityDrafts.adapter.contentOf(saved)
  return { document, saved, content, block: blockOf(content, rows) }
}

function blockOf(content: EntityContent, { entity, cells }: EntityRows): PasteBlock {
  const block = pasteBlock(content, cells, { rows: [], columns: sheetColumns, chosen: { rows: 1, columns: 1 } })
  if ('refusal' in block) throw new Refusal(sheetTexts.refusedIn(entity, block.refusal))
  return block
}

type WriteOptions = { lookupsFor: (part: ListedEntity) => CellLookups; created: readonly Created[] }

function write(manifest: PastedInto, parts: readonly Part[], { lookupsFor, created }: WriteOptions): void {
  const written = parts.map(part => writePart(part, lookupsFor(part)))
  const steps = written.flatMap(({ step }) => step ?? [])
  const rows = written.reduce((sum, { uids }) => sum + uids.length, 0)
  const label = sheetTexts.pastedInto(rows, parts.length, created.length)
  const step = withCreations(linkedStep(label, steps), created)
  const isChange = steps.length + created.length > 0
  if (isChange) stepStackOf('paste', manifest.id).add(step)
  const unfit = written.filter(({ count }) => count > 0)
  const existing = parts.flatMap(({ saved, block }) => block.existing.map(name => `${saved.name}.${name}`))
  const unread = [...new Set(parts.flatMap(({ block }) => block.unread))]
  const remarks = [
    ...(unfit.length > 0 ? [sheetTexts.toLookAtIn(unfit)] : []),
    ...(existing.length > 0 ? [sheetTexts.notChanged(existing)] : []),
    ...(unread.length > 0 ? [sheetTexts.unread(unread)] : []),
  ]
  const undo = () => (step.canUndo() ? step.undo() : notify('info', sheetTexts.changedSince))
  const text = [label, ...remarks].join(' ')
  notify(remarks.length > 0 ? 'warning' : 'success', text, isChange ? { label: 'Undo', run: undo } : undefined)
  for (const { saved } of unfit.slice(0, mostShown)) showTab(saved)
}

/** A step that also takes back the entities created for it, and then cannot be made again. */
function withCreations(step: DraftStep, created: readonly Created[]): DraftStep {
  if (created.length === 0) return step
  const undo = async () => {
    await step.undo()
    undoCreationAction('entity', created).run()
  }
  return { ...step, undo, canRedo: () => false }
}

/** `count`: cells with texts that they could not take, or with values that break a rule. */
function writePart({ document, saved, block }: Part, lookups: CellLookups) {
  const key = draftKey(saved.id, undefined)
  const result: { written?: CellsWritten } = {}
  const edits = (content: EntityContent) => {
    result.written = writeCells(content, block, lookups)
    return result.written.edits
  }
  const step = editDraft(document, edits, { hidden: true })
  const { uids = [], problems = new Map() } = result.written ?? {}
  const draft = entityStore.get(key)?.draft
  if (!draft) return { saved, name: saved.name, step, uids, count: 0 }
  addRefusedCells(key, problems, draft.content)
  const invalid = invalidCells(draft.content, draft.base)
  const cellsOf = (all: SheetProblems) =>
    uids.flatMap(uid => [...(all.get(uid)?.keys() ?? [])].map(id => `${uid} ${id}`))
  const { size: count } = new Set([problems, invalid].flatMap(cellsOf))
  return { saved, name: saved.name, step, uids, count }
}

/** Entities with cells to look at that get a tab. */
const mostShown = 5

function showTab({ id, name, path }: Part['saved']): void {
  // The administration shows one document at a time, which stays the present one.
  if (!isAdministration()) workbench.getState().openInBackground({ kind: 'entity', id, name, path })
}
