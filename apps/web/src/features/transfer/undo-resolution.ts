import type { NameConflictStepAnswer } from '@cadmus/model/contract/manifest'
import { historyTexts } from '@cadmus/model/messages/history'
import { type ManifestChange, manifestChangesQuery } from '../../api/edit-log.ts'
import { queryClient } from '../../api/query-client.ts'
import { currentScope, type Scope } from '../../api/scope.ts'
import {
  reversalOfChange,
  reversalOfDeletion,
  reversalOfNewest,
  type Reversal,
  takeBackAll,
} from '../../commands/restore.ts'

type Step = Pick<NameConflictStepAnswer, 'action' | 'deletes' | 'from'> & { entity: { id: number; name: string } }

/** The action of a message about resolved name conflicts: takes back what each step did, the last one first. */
export function undoResolutionAction(manifestId: number, steps: readonly Step[], scope = currentScope()) {
  // Read now, as later changes of the entities are not part of it.
  const reversals = reversalsOf(manifestId, steps, scope)
  const run = async () => takeBackAll((await reversals).toReversed(), scope)
  return { label: historyTexts.cause.undo, run: () => void run() }
}

async function reversalsOf(manifestId: number, steps: readonly Step[], scope: Scope): Promise<Reversal[]> {
  const renamed = new Set(steps.flatMap(({ action, entity }) => (action === 'rename' ? [entity.id] : [])))
  const left = steps.filter(({ action }) => action === 'leaveOut')
  const deleted = left.filter(({ deletes }) => deletes === true)
  const manifests = new Set(left.flatMap(({ deletes, from = [] }) => (deletes ? [] : from.map(({ id }) => id))))
  const changes = await newestChanges(manifestId, renamed).catch(() => new Map<number, ManifestChange>())
  return [
    ...Array.from(renamed, id => reversalOfChange('entity', changes.get(id), scope)),
    ...deleted.map(({ entity }) => reversalOfDeletion('entity', entity, scope)),
    ...(await Promise.all(Array.from(manifests, async id => reversalOfNewest(id, scope)))),
  ]
}

/** The caller's newest changes of these entities of the manifest. */
export async function newestChanges(
  manifestId: number,
  ids: ReadonlySet<number>,
): Promise<Map<number, ManifestChange>> {
  const newest = new Map<number, ManifestChange>()
  let before: number | undefined
  while (newest.size < ids.size) {
    const page = await queryClient.fetchQuery({ ...manifestChangesQuery(manifestId, before), staleTime: 0 })
    for (const change of page) {
      const { kind, id } = change.document
      if (kind === 'entity' && ids.has(id) && !newest.has(id)) newest.set(id, change)
    }
    before = page.at(-1)?.sequence
    if (before === undefined) break
  }
  return newest
}
