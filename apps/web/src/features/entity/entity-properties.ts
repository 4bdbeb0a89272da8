import { messages } from '@cadmus/model/messages'
import { mayChooseVersion } from '@cadmus/model/locks'
import { operations } from '@cadmus/model/entity'
import { type OperationScopes } from '@cadmus/model/operations'
import { foldName } from '@cadmus/model/paths'
import { entityName } from '@cadmus/model/rules/names'
import { parseScopes } from '@cadmus/model/rules/scopes'
import { manifestEntityPage } from '../../api/lists.ts'
import { explain } from '../../commands/glossary.ts'
import type { Property, PropertyGroup } from '../../ui/PropertyTable.tsx'
import { draftPath, draftPrimaryKey } from './entity-draft.ts'
import { entityStore } from './entity-store.ts'
import { viewVersion, type EntityView } from './entity-view.ts'
import { entityProperty, foldersIn } from './related.tsx'
import type { OfferedScopes } from './use-scopes.ts'

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
    validate: async name => entityName(name) ?? (await takenName(entity.id, entity.targetManifest?.id ?? null, name)),
    onApply: name => entityStore.edit(key, () => [{ kind: 'changeEntity', change: { name: name.trim() } }]),
  }
}

/** Whether another entity of the manifest has the name. A failed look-up accepts it: the server decides. */
async function takenName(entityId: number, manifestId: number | null, name: string): Promise<string | null> {
  if (manifestId === null) return null
  try {
    const { entity } = await manifestEntityPage(manifestId, { search: name.trim() })
    const taken = entity.some(other => other.id !== entityId && foldName(other.name) === foldName(name))
    return taken ? messages.entityExists(name.trim()) : null
  } catch {
    return null
  }
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
