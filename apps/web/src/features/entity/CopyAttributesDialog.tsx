import { columnName, type Column, columnsOf } from '@cadmus/model/columns'
import { entityForm } from '@cadmus/model/content'
import type { EntityListItem } from '@cadmus/model/contract/lists'
import { addedColumnProblems, freeColumnNames, renamedColumn, withoutKey } from '@cadmus/model/edits/copy-columns'
import { mayEditAttributes } from '@cadmus/model/locks'
import { attributeTexts } from '@cadmus/model/messages/attributes'
import { foldName } from '@cadmus/model/paths'
import { readStored } from '@cadmus/model/stored/stored-form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { entityOption, entityQuery, entitySource, type LoadedEntity } from '../../api/entities.ts'
import { readFailure } from '../../api/read-failure.ts'
import { EntityFilters, useEntityFilters } from '../../commands/EntityFilters.tsx'
import { draftKey, placeOf } from '../../drafts/draft-key.ts'
import { Alert } from '../../ui/Alert.tsx'
import { SearchSelect } from '../../ui/Combobox.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { reasons } from '../../ui/reasons.ts'
import { TextField } from '../../ui/TextField.tsx'
import { entityStore } from '../../drafts/entity-store.ts'
import { movePartners } from './linked-moves.ts'

export type CopyAttributesDialogProps = {
  source: { id: number; name: string; manifest: number }
  columns: readonly Column[]
  /** The columns leave the source. */
  moves: boolean
  /** Names of chosen columns that cannot be moved. */
  stay: readonly string[]
  onClose: () => void
  /** `columns`: under their new names. */
  onFinish: (target: LoadedEntity, columns: readonly Column[]) => void
}

/** Chooses the entity for copied or moved columns, and names for those whose names are in use there. */
export function CopyAttributesDialog({ source, columns, moves, stay, onClose, onFinish }: CopyAttributesDialogProps) {
  const [chosen, setChosen] = useState<EntityListItem | null>(null)
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map())
  const filters = useEntityFilters()
  const query = useQuery({ ...entityQuery(chosen?.id ?? 0), enabled: chosen !== null })
  const target = chosen ? query.data : undefined
  const failure = chosen ? readFailure(query, 'The entity could not be read.') : null
  const { conflicting, named, problems } = useNames(target, columns, typed)
  const verdict = target && mayEditAttributes(target.entity)
  const locked = verdict?.allowed === false ? verdict.reason : undefined
  const general = problems.flatMap(({ uid, name, reason }) =>
    conflicting.some(column => column.uid === uid) ? [] : [name === '' ? reason : `${name}: ${reason}`],
  )
  const error = locked ?? (target && moves ? movedBack(source.id, target.entity.id) : undefined) ?? general[0]
  const count = columns.length === 1 ? 'Attribute' : `${columns.length} Attributes`
  const verb = moves ? 'Move' : 'Copy'

  return (
    <FormDialog
      title={`${verb} ${count} to Entity`}
      description={columns.map(columnName).join(', ')}
      onClose={onClose}
      entered={typed.size > 0}
      width={440}
      error={failure?.message ?? error ?? null}
      submitLabel={verb}
      blocked={
        !chosen
          ? reasons.select('an entity')
          : !target
            ? reasons.busy
            : (error ?? reasons.field('Name', problems[0]?.reason))
      }
      onSubmit={() => {
        if (!target) return
        onClose()
        onFinish(target, named)
      }}
    >
      {moves && (
        <Alert kind="info">{[attributeTexts.moves.note, ...stay.map(attributeTexts.moves.keysStay)].join(' ')}</Alert>
      )}
      <SearchSelect<EntityListItem>
        label="Entity"
        required
        placeholder="Select Entity"
        source={entitySource({
          ...filters.query,
          excluded: { ...source, why: moves ? attributeTexts.moves.here : attributeTexts.moves.duplicate },
          near: source.manifest,
        })}
        value={chosen && entityOption(chosen)}
        onChange={({ data }) => {
          setChosen(data)
          setTyped(new Map())
        }}
      />
      <EntityFilters {...filters} />
      {conflicting.length > 0 && <p>{attributeTexts.moves.conflicts}</p>}
      {conflicting.map(column => (
        <TextField
          key={column.uid}
          label={`New name of ${columnName(column)}`}
          required
          mono
          value={columnName(named.find(({ uid }) => uid === column.uid) ?? column)}
          error={problems.find(({ uid }) => uid === column.uid)?.reason ?? null}
          onChange={name => setTyped(new Map(typed).set(column.uid, name))}
        />
      ))}
    </FormDialog>
  )
}

/** Columns whose names are in use in the target, all columns under their new names, and what the target's rules refuse. */
function useNames(target: LoadedEntity | undefined, columns: readonly Column[], typed: ReadonlyMap<string, string>) {
  if (!target) return { conflicting: [], named: columns, problems: [] }
  const { entity } = target
  const draft = entityStore.get(draftKey(entity.id, undefined))?.draft
  const content = draft?.content ?? readStored(entityForm, JSON.parse(entity.content))
  const inherited = (entity.resolvedAttributes ?? []).filter(({ origin }) => origin === 'inherited')
  const taken = [...columnsOf(content).map(columnName), ...inherited.map(({ name }) => name)]
  const used = new Set(taken.map(foldName))
  const free = freeColumnNames(columns, taken)
  const named = columns.map((column, at) =>
    renamedColumn(column, typed.get(column.uid) ?? free[at] ?? columnName(column)),
  )
  const conflicting = columns.filter(column => used.has(foldName(columnName(column))))
  return { conflicting, named, problems: addedColumnProblems(content, named.map(withoutKey), entity.id) }
}

/** Columns cannot be exchanged in one save. */
function movedBack(source: number, target: number): string | undefined {
  const key = draftKey(target, undefined)
  const open = entityStore.get(key)
  const back = open && movePartners(open.draft, { id: target, version: undefined, scope: placeOf(key).scope }).targets
  return back?.some(({ draft }) => draft.saved.id === source) ? attributeTexts.moves.bothWays : undefined
}
