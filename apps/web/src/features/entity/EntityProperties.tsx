import { useQuery } from '@tanstack/react-query'
import { type FocusEvent, memo, useDeferredValue, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { useStore } from 'zustand'
import { columnsOf } from '@cadmus/model/columns'
import { changeAttributeEdits } from '@cadmus/model/edits/entity-actions'
import { attributeChange } from '@cadmus/model/edits/entity-edits'
import { chosenFrom, type Enumeration } from '@cadmus/model/enumeration'
import { operations } from '@cadmus/model/entity'
import { typeAttributeFields, typeAttributeNames } from '@cadmus/model/fields/type-attribute'
import { mayChooseVersion } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import type { OperationScopes } from '@cadmus/model/operations'
import { entityName, takenNames } from '@cadmus/model/rules/names'
import { parseScopes } from '@cadmus/model/rules/scopes'
import { typeAttributeName } from '@cadmus/model/rules/type-attribute'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { referencesQuery } from '../../api/entities.ts'
import { readFailure } from '../../api/read-failure.ts'
import { useEnumerations } from '../../api/use-enumerations.ts'
import type { Command } from '../../commands/command.ts'
import { explain } from '../../commands/glossary.ts'
import { entityNames, isNameUsed } from '../../commands/use-name-check.ts'
import { onDemand } from '../../ui/on-demand.ts'
import type { Property, PropertyGroup } from '../../ui/property.ts'
import { PropertyTable } from '../../ui/PropertyTable.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { tabIdOf } from '../../workbench/documents.ts'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import type { Selection } from '../../workbench/workbench.ts'
import styles from './Entity.module.css'
import { useBiography } from './biography.tsx'
import { withDependents } from './dependents-property.tsx'
import { editRow } from './edit-row.ts'
import { draftPath, draftPrimaryKey, offeredPurposes } from '../../drafts/entity-draft.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import { type EntityView, useEntityView, viewVersion } from './entity-view.ts'
import { fieldProperty } from './field-properties.tsx'
import { entityProperty, foldersIn, maxReferences, referenceGroup, referencesError } from './related.tsx'
import { propertyCommands } from './property-commands.ts'
import { relationshipProperties } from './relationship-properties.ts'
import { reportStore, severalProperties } from './several-properties.tsx'
import { type OfferedScopes, useScopes } from './use-scopes.ts'
import { type Targets, useTargets } from './use-targets.ts'

const { Component: GroupList } = onDemand<{ view: EntityView }>(() =>
  import('./GroupList.tsx').then(module => module.GroupList),
)
const { Component: CheckList } = onDemand<{ view: EntityView }>(() =>
  import('./GroupList.tsx').then(module => module.CheckList),
)

const scopeLabels = {
  select: 'Select Scopes',
  selectAll: 'Select All Scopes',
  delete: 'Delete Scopes',
  insert: 'Insert Scopes',
  update: 'Update Scopes',
} as const satisfies Record<(typeof operations)[number], string>

/** Entity group of the properties panel. `offered`: scopes that can be assigned. */
export function entityProperties(view: EntityView, offered: OfferedScopes): PropertyGroup {
  const { draft, entity, locked } = view
  const shown = (id: string, label: string, value: string, mono = false): Property => ({
    id,
    label,
    hint: explain(label),
    editor: 'shown',
    value,
    mono,
    explanation: id === 'type' ? explain(value) : undefined,
  })
  return {
    id: 'entity',
    title: 'Entity',
    properties: [
      locked ? shown('name', 'Name', draft.content.name) : nameProperty(view),
      locked ? shown('description', 'Description', draft.content.description) : descriptionProperty(view),
      shown('path', 'Path', draftPath(draft), true),
      shown('type', 'Type', entity.type, true),
      versionProperty(view),
      entityProperty('extends', 'Extends', draft.content.extendsEntity, foldersIn(view)),
      shown('primaryKey', 'Primary Key', draftPrimaryKey(draft) ?? ''),
      shown('manifest', 'Manifest', entity.targetManifest?.name ?? ''),
      {
        id: 'groups',
        label: 'Groups',
        hint: explain('Groups'),
        editor: 'custom',
        render: () => <GroupList view={view} />,
      },
      {
        id: 'checks',
        label: 'Checks',
        hint: explain('Checks'),
        editor: 'custom',
        render: () => <CheckList view={view} />,
      },
      ...operations.map(operation =>
        scopeProperty(view, `${operation}OperationScopes`, scopeLabels[operation], offered),
      ),
    ],
  }
}

function nameProperty({ key, entity, draft }: EntityView): Property {
  return {
    id: 'name',
    label: 'Name',
    editor: 'text',
    value: draft.content.name,
    validate: async name => entityName(name) ?? takenName(entity, name),
    onApply: name => entityStore.edit(key, () => [{ kind: 'changeEntity', change: { name: name.trim() } }]),
  }
}

async function takenName({ id, targetManifest }: EntityView['entity'], name: string): Promise<string | null> {
  const isUsed = targetManifest !== null && (await isNameUsed(entityNames(targetManifest.id), name, id))
  return isUsed ? messages.entityExists(name.trim()) : null
}

function descriptionProperty({ key, draft }: EntityView): Property {
  return {
    id: 'description',
    label: 'Description',
    editor: 'text',
    multiline: true,
    value: draft.content.description,
    onApply: description => entityStore.edit(key, () => [{ kind: 'changeEntity', change: { description } }]),
  }
}

/** The shown version; choosing another shows it in the same tab. */
function versionProperty({ entity }: EntityView): Property {
  const label = 'Version'
  const verdict = mayChooseVersion(entity)
  if (!verdict.allowed || entity.versions.length < 2) {
    return { id: 'version', label, editor: 'shown', value: entity.currentVersion, mono: true }
  }
  return {
    id: 'version',
    label,
    editor: 'select',
    mono: true,
    value: entity.currentVersion,
    options: entity.versions.map(version => ({ value: version, label: version })),
    onApply: version => viewVersion(entity.id, version === entity.latestVersion ? undefined : version),
  }
}

function scopeProperty(
  view: EntityView,
  field: keyof OperationScopes,
  label: string,
  { scopes, failure }: OfferedScopes,
): Property {
  const value = view.draft.content.operationScopes[field]
  return {
    id: field,
    label,
    editor: 'multi',
    value,
    options: [...new Set([...scopes, ...value])],
    emptyText: failure === null ? 'None of the manifests of this entity defines scopes.' : failure.message,
    // Five fields share one read: only the first offers the retry.
    failure: field === 'selectOperationScopes' ? failure : null,
    hint: `${explain(label) ?? ''} Scopes can be pasted, separated by commas.`.trim(),
    parse: parseScopes,
    onApply: next => entityStore.edit(view.key, () => [{ kind: 'changeScopes', change: { [field]: next } }]),
  }
}

export function EntityProperties({ id }: { id: number }) {
  const { view, error } = useEntityView(id)
  // The document shows the error.
  if (!view && error) return null
  if (!view) return <Skeleton lines={8} />
  return <Loaded key={id} view={view} />
}

/** Memoised: independent of the selection. */
const Loaded = memo(function Loaded({ view }: { view: EntityView }) {
  const { id } = view.entity
  const offered = useScopes(id)
  const references = useQuery(referencesQuery('entity', id, maxReferences))
  const own = useMemo(() => withDependents(entityProperties(view, offered), view), [view, offered])
  const { data } = references
  const readError = readFailure(references, 'The references could not be read.')
  const referring = useMemo(() => data && referenceGroup(data, view.entity), [data, view.entity])
  const groups = useMemo(() => [own, ...(referring ? [referring] : [])], [own, referring])
  const shown = readError ? [...groups, referencesError(readError)] : groups
  return <WithChosen view={view} groups={shown} />
})

type WithChosenProps = { view: EntityView; groups: readonly PropertyGroup[] }

function WithChosen({ view, groups }: WithChosenProps) {
  const { selection, handlers } = useLateSelection(view.entity.id)
  return (
    <div className={styles['late']} {...handlers}>
      <Groups view={view} groups={groups} selection={selection} />
    </div>
  )
}

/**
 * Defers the selection, so that a held arrow key stays responsive. Shows the current selection when the panel gets the
 * focus.
 */
function useLateSelection(id: number) {
  const now = useWorkbench(state => state.selections.get(tabIdOf({ kind: 'entity', id })))
  const deferred = useDeferredValue(now)
  const [inside, setInside] = useState(false)
  const selection = inside ? now : deferred
  const catchUp = () => flushSync(() => setInside(true))
  const handlers = {
    onPointerDownCapture: () => selection !== now && catchUp(),
    onFocusCapture: () => (selection === now ? setInside(true) : catchUp()),
    onBlurCapture: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setInside(false)
    },
  }
  return { selection, handlers }
}

type GroupsProps = WithChosenProps & { selection: Selection | undefined }

const Groups = memo(function Groups({ view, groups, selection }: GroupsProps) {
  const report = useStore(reportStore, state => state.report)
  const uids = chosenRows(view, selection)
  const enumerations = useEnumerations(view.entity.targetManifest, uids.length === 1)
  const targets = useTargets(associatedOf(view, uids.length === 1 ? uids[0] : undefined))
  const chosen =
    uids.length > 1 ? severalProperties(view, uids, report) : chosenGroup(view, uids[0], targets, enumerations)
  const biography = useBiography(view, uids.length === 1 ? uids[0] : undefined)
  const shown = [chosen, biography].filter(group => group !== null)
  return <PropertyTable groups={[...shown, ...groups]} locked={view.locked} />
})

/** Commands on the fields of the rows that are selected now. */
export function chosenFieldCommands(view: EntityView): Command<object>[] {
  const uids = chosenRows(view, workbench.getState().selections.get(tabIdOf({ kind: 'entity', id: view.entity.id })))
  const group = uids.length > 1 ? severalProperties(view, uids) : chosenGroup(view, uids[0], noTargets)
  return group ? propertyCommands(group) : []
}

const noTargets: Targets = { targets: [], isRead: false, failure: null }

/** The selected rows that still exist. */
function chosenRows({ draft }: EntityView, selection: Selection | undefined): readonly string[] {
  const existing = new Set(columnsOf(draft.content).map(({ uid }) => uid))
  return selection?.uids.filter(uid => existing.has(uid)) ?? []
}

function chosenGroup(
  view: EntityView,
  uid: string | undefined,
  targets: Targets,
  enumerations?: readonly Enumeration[],
): PropertyGroup | null {
  if (uid === undefined) return null
  const group = attributeProperties(view, uid, enumerations) ?? relationshipProperties(view, uid, targets)
  return group && { ...withDependents(group, view, uid), subject: uid }
}

function associatedOf({ draft }: EntityView, uid: string | undefined): number | null {
  const chosen = draft.content.entityAttributes.find(row => row.uid === uid)
  return chosen && chosen.associatedEntity.id >= 0 ? chosen.associatedEntity.id : null
}

type View = Pick<EntityView, 'key' | 'draft' | 'locked'>

/** Type attribute group of the properties panel; null if the attribute was deleted. */
export function attributeProperties(
  view: View,
  uid: string,
  enumerations: readonly Enumeration[] = [],
): PropertyGroup | null {
  const attribute = view.draft.content.typeAttributes.find(row => row.uid === uid)
  if (!attribute) return null
  const properties = typeAttributeNames.flatMap(name => {
    const property = fieldProperty<TypeAttribute>(name, typeAttributeFields[name], {
      items: [attribute],
      valueOf: item => item[name],
      locked: view.locked !== null,
      options: name === 'purpose' ? ({ purpose }) => offeredPurposes(view.draft, purpose) : undefined,
      rule: name === 'name' ? nameRule(view, attribute) : undefined,
      apply: value => {
        const change = attributeChange.parse({ [name]: value })
        editRow(view, attribute, content => changeAttributeEdits(content, uid, change))
      },
    })
    const all = property ? [property] : []
    return name === 'choices' ? [...all, ...enumerationProperty(view, attribute, enumerations)] : all
  })
  return { id: 'typeAttribute', title: 'Type Attribute', hint: explain('Type Attribute'), properties }
}

/** The enumeration that the choices come from, if the manifest of the entity has any. */
function enumerationProperty(view: View, attribute: TypeAttribute, enumerations: readonly Enumeration[]): Property[] {
  const { uid, enumeration, dataType } = attribute
  if (dataType === 'boolean' || (enumerations.length === 0 && enumeration === null)) return []
  const label = 'Enumeration'
  const head = { id: 'enumeration', label, hint: explain(label) }
  if (view.locked !== null) return [{ ...head, editor: 'shown', value: enumeration?.name ?? '', mono: true }]
  const none = { value: '', label: 'none' }
  const gone = enumeration && enumerations.every(one => one.uid !== enumeration.uid) ? [enumeration] : []
  return [
    {
      ...head,
      editor: 'select',
      mono: true,
      value: enumeration?.uid ?? '',
      options: [none, ...[...gone, ...enumerations].map(one => ({ value: one.uid, label: one.name }))],
      onApply: value => {
        const chosen = enumerations.find(one => one.uid === value)
        if (value === '' || chosen)
          editRow(view, attribute, content => changeAttributeEdits(content, uid, chosenFrom(chosen)))
      },
    },
  ]
}

function nameRule({ draft }: View, { uid }: TypeAttribute): (name: string) => string | undefined {
  const others = draft.content.typeAttributes.filter(row => row.uid !== uid).map(row => row.name)
  const foreignKeys = takenNames(draft.content.entityAttributes.map(row => row.foreignKeyTypeAttribute))
  return name => typeAttributeName(name, { taken: takenNames(others), foreignKeys })
}
