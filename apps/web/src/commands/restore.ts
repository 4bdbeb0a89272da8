import type { AuditEntry } from '@cadmus/model/audit-differences'
import { type OnReferences, onReferencesChoices } from '@cadmus/model/detach'
import { historyTexts } from '@cadmus/model/messages/history'
import { newUid } from '@cadmus/model/uid'
import {
  changesNothing,
  changesQuery,
  lastEntry,
  type LoggedChange,
  type Restored,
  restoreLog,
} from '../api/edit-log.ts'
import { messageOf } from '../api/error.ts'
import { invalidate, queryClient, refreshStructure } from '../api/query-client.ts'
import { currentScope, type Scope } from '../api/scope.ts'
import { notify } from '../ui/notices.ts'
import { defineDialog, openDialog } from '../workbench/dialogs.ts'
import { tabIdOf } from '../workbench/documents.ts'
import { openIn, workbench } from '../workbench/page-workbench.ts'
import { askAboutReferences } from './references.ts'
import type { RestoreDialogProps } from './RestoreDialog.tsx'

type LogKind = 'entity' | 'manifest'

const restoreDialog = defineDialog<Omit<RestoreDialogProps, 'onClose'>>('restore', () =>
  import('./RestoreDialog.tsx').then(module => module.RestoreDialog),
)

/** Entries of packages and organisations hold no state. */
export function isRestorable({ CONTENT_KIND: kind }: AuditEntry): boolean {
  return kind !== 'package' && kind !== 'organisation'
}

/** Shows what restoring the state of an entry would change. */
export function openRestore(kind: LogKind, id: number): void {
  const scope = currentScope()
  // The same for all attempts of the dialog: an attempt without an answer is not applied again by the next one.
  const operationIds = new Map([undefined, ...onReferencesChoices].map(choice => [choice, newUid()]))
  const send = async (onReferences?: OnReferences) =>
    restoreLog(kind, id, { operationId: operationIds.get(onReferences), kind: 'restore', onReferences }, scope)
  openDialog(restoreDialog, { kind, id, scope, restore: async () => restoreNow(send, scope) })
}

/** Restores the state of an entry, and offers to open the document. False if the user cancelled. */
async function restoreNow(send: (onReferences?: OnReferences) => Promise<Restored>, scope: Scope): Promise<boolean> {
  const question = { title: historyTexts.restoring, text: historyTexts.references, confirmLabel: historyTexts.restore }
  const restored = await askAboutReferences(question, send)
  if (!restored) return false
  done([restored], historyTexts.restored(restored.document.name), scope)
  return true
}

/** What came of taking back a change: the restored document, or the reason why not. */
type Outcome = { restored: Restored } | { problem: string }

/** A change that can be taken back. `name`: the change. */
export type Reversal = { name: string; run: () => Promise<Outcome> }

async function takeBack(kind: LogKind, entryId: number, scope: Scope): Promise<Outcome> {
  try {
    const restored = await restoreLog(kind, entryId, { kind: 'undo' }, scope)
    if (!changesNothing(restored)) return { restored }
    return { problem: [historyTexts.failed, ...restored.missing].join('\n') }
  } catch (failure) {
    return { problem: messageOf(failure, historyTexts.failed) }
  }
}

/** Takes back changes at once, one after the other, with one message. */
export async function takeBackAll(reversals: readonly Reversal[], scope: Scope): Promise<void> {
  const names: string[] = []
  const restored: Restored[] = []
  const problems = new Set<string>()
  for (const { name, run } of reversals) {
    const outcome = await run()
    if ('problem' in outcome) problems.add(outcome.problem)
    else {
      names.push(name)
      restored.push(outcome.restored)
    }
  }
  if (restored.length > 0) done(restored, historyTexts.undone(historyTexts.changes(names)), scope)
  if (problems.size > 0) notify('error', [...problems].join('\n'))
}

/** Takes back one logged change of a manifest, or a deletion, at once. */
export async function undoLogged(kind: LogKind, id: number, name: string, scope: Scope): Promise<void> {
  await takeBackAll([{ name, run: async () => takeBack(kind, id, scope) }], scope)
}

/** How the deletion of an entity or manifest is taken back. */
export function reversalOfDeletion(kind: LogKind, { id, name }: Named, scope: Scope): Reversal {
  const run = async () => {
    const deletion = await lastEntry(kind, id, 'DELETE', scope).catch(() => undefined)
    return deletion === undefined ? { problem: historyTexts.failed } : takeBack(kind, deletion, scope)
  }
  return { name, run }
}

type Named = { id: number; name: string }

/** The action of a message about new entities or a new manifest, which it deletes, except those that have been changed since. */
export function undoCreationAction(kind: LogKind, created: readonly Named[], scope = currentScope()) {
  const undo = async () => {
    const undone: string[] = []
    const reasons: string[] = []
    for (const { id, name } of created.toReversed()) {
      try {
        const creation = await lastEntry(kind, id, 'CREATE', scope)
        await restoreLog(kind, creation ?? 0, { kind: 'undo' }, scope)
        const tab = tabIdOf({ kind, id }, scope)
        // With unsaved changes it stays open and shows the deletion.
        if (!workbench.getState().drafts.has(tab)) workbench.getState().closeTabs([tab])
        undone.unshift(name)
      } catch (failure) {
        reasons.unshift(messageOf(failure, historyTexts.failed))
      }
    }
    if (undone.length > 0) {
      refreshStructure()
      void invalidate(['logs'], ['edits'])
      notify('success', historyTexts.undone(historyTexts.creation(kind, undone)))
    }
    if (reasons.length > 0) notify('error', reasons.join('\n'))
  }
  return { label: historyTexts.cause.undo, run: () => void undo() }
}

/** How the change that is the caller's newest of a manifest now, or the newest of this description, is taken back, also after later ones. */
export async function reversalOfNewest(manifestId: number, scope: Scope, description?: string): Promise<Reversal> {
  return reversalOfChange('manifest', await newestOwn(manifestId, scope, description), scope)
}

/** How a logged change alone is taken back, also after later ones. */
export function reversalOfChange(
  kind: LogKind,
  change: Pick<LoggedChange, 'entryId' | 'description'> | undefined,
  scope: Scope,
): Reversal {
  const run = async () => (change ? takeBack(kind, change.entryId, scope) : { problem: historyTexts.failed })
  return { name: change?.description ?? '', run }
}

/** The action of a message about the caller's newest change of a manifest, which it takes back also after later ones. */
export function undoAction(manifestId: number, scope = currentScope()): { label: string; run: () => void } {
  const newest = reversalOfNewest(manifestId, scope)
  return { label: historyTexts.cause.undo, run: () => void newest.then(async change => takeBackAll([change], scope)) }
}

async function newestOwn(manifestId: number, scope: Scope, description?: string): Promise<LoggedChange | undefined> {
  const query = { ...changesQuery('manifest', manifestId, 'newest', scope), staleTime: 0 }
  // A creation is taken back by its own message only.
  const changes = await queryClient.fetchQuery(query).catch(() => [])
  return changes.find(one => one.own && one.before !== null && (description ?? one.description) === one.description)
}

function done(all: readonly Restored[], text: string, scope: Scope): void {
  refreshStructure()
  void invalidate(['logs'], ['edits'])
  const missing = all.flatMap(restored => restored.missing)
  const [only] = all.length === 1 ? all : []
  notify(missing.length === 0 ? 'success' : 'warning', [text, ...missing].join('\n'), only && openAction(only, scope))
}

function openAction({ document: { kind, id, name, path } }: Restored, scope: Scope) {
  const title = kind === 'configuration' ? `${name} Configuration` : name
  return { label: 'Open', run: () => openIn(scope)({ kind, id, name: title, path }) }
}
