import { limits } from '@cadmus/model/limits'
import { enumerationTexts } from '@cadmus/model/messages/enumerations'
import type { ManifestChange } from '../../api/edit-log.ts'
import { currentScope } from '../../api/scope.ts'
import { reversalOfChange, reversalOfNewest, takeBackAll, undoCreationAction } from '../../commands/restore.ts'
import { newestChanges } from './undo-resolution.ts'

type Named = { id: number; name: string }

/** Entities that an import into a manifest added, and those that it changed; the names of enumerations that it changed. */
export type ImportedEntities = { created: readonly Named[]; changed: readonly Named[]; enumerations: readonly string[] }

/**
 * The action of a message about an import into a manifest: takes back the changes, of enumerations first, which attributes follow, then deletes
 * what was added.
 */
export function undoImportAction(
  manifestId: number,
  { created, changed, enumerations }: ImportedEntities,
  scope = currentScope(),
) {
  const count = created.length + changed.length + enumerations.length
  if (count === 0 || count > limits.readStates.entities) return undefined
  const creation = undoCreationAction('entity', created, scope)
  const ids = new Set(changed.map(({ id }) => id))
  // Read now, as later changes of the entities are not part of it.
  const changes = newestChanges(manifestId, ids).catch(() => new Map<number, ManifestChange>())
  const ofManifest = enumerations.length === 0 ? [] : [reversalOfNewest(manifestId, scope, enumerationTexts.changed)]
  const run = async () => {
    const logged = await changes
    const ofEntities = Array.from(ids, id => reversalOfChange('entity', logged.get(id), scope))
    const reversals = [...(await Promise.all(ofManifest)), ...ofEntities]
    if (reversals.length > 0) await takeBackAll(reversals, scope)
    if (created.length > 0) creation.run()
  }
  return { label: creation.label, run: () => void run() }
}
