import { columnName, isTypeAttribute } from '@cadmus/model/columns'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { messages } from '@cadmus/model/messages'
import { sheetTexts } from '@cadmus/model/messages/sheet'
import { entityQuery } from '../../api/entities.ts'
import { messageOf } from '../../api/error.ts'
import { manifestQuery } from '../../api/manifests.ts'
import { queryClient } from '../../api/query-client.ts'
import { draftKey } from '../../drafts/draft-key.ts'
import { notify } from '../../ui/notices.ts'
import { type DocumentRef, tabIdOf } from '../../workbench/documents.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { shownTabs } from '../../workbench/tabs.ts'
import { entityDrafts, sheetRows } from '../../drafts/entity-draft.ts'
import { entityStore } from '../../drafts/entity-store.ts'

/** A cell of the sheet: its column, and the name and index of its row. */
type CellPlace = { column: string; name: string | undefined; index: number }

/** Shows the same cell of the next or previous entity, in the row of the same name or else at the same place. */
export async function showNextEntity(entity: EntityAnswer, step: 1 | -1, cell: CellPlace): Promise<void> {
  try {
    const entities = await entitiesAround(entity)
    const next = entities.at((entities.findIndex(({ id }) => id === entity.id) + step) % entities.length)
    if (!next || next.id === entity.id) return notify('info', sheetTexts.noOtherEntity)
    const { entity: loaded, etag } = await queryClient.fetchQuery(entityQuery(next.id))
    const { draft } = entityStore.get(draftKey(next.id, undefined)) ?? { draft: entityDrafts.open(loaded, etag) }
    const rows = sheetRows(draft)
    const row = rows.find(one => columnName(one) === cell.name) ?? rows[cell.index] ?? rows.at(-1)
    // A preview, so that walking through a manifest opens no tabs beside those of edited entities.
    workbench.getState().open(next, { preview: true })
    if (!row) return
    const kind = isTypeAttribute(row) ? 'typeAttribute' : 'entityAttribute'
    workbench.getState().show(tabIdOf(next), { tab: undefined })
    workbench.getState().select(tabIdOf(next), { kind, uids: [row.uid], reveal: true, column: cell.column })
  } catch (error) {
    notify('error', messageOf(error, messages.failed.unexpected))
  }
}

/** The entities of the entity's manifest, or those of the open tabs if it has no other one. */
async function entitiesAround({ targetManifest }: EntityAnswer): Promise<readonly DocumentRef[]> {
  if (targetManifest) {
    const { manifest } = await queryClient.fetchQuery(manifestQuery(targetManifest.id))
    if (manifest.entityPaths.length > 1)
      return manifest.entityPaths.map(({ id, name, path }) => ({ kind: 'entity', id, name, path }))
  }
  return shownTabs(workbench.getState().tabs).filter(({ kind }) => kind === 'entity')
}
