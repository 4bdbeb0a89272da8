import type { AffectedManifest, DependentItem, EntityImpact } from '@cadmus/model/contract/impact'
import { type EditImpact, impactOfEdits } from '@cadmus/model/edits/edit-impact'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { databaseTypeOf } from '@cadmus/model/database-types'
import { messages } from '@cadmus/model/messages'
import { impactTexts as texts } from '@cadmus/model/messages/impact'
import { readConsequences } from '../api/comparison.ts'
import { entityImpact } from '../api/impact.ts'
import { packagesOf } from '../api/packages.ts'
import { messageOf } from '../api/error.ts'
import type { Scope } from '../api/scope.ts'
import { notify } from '../ui/notices.ts'
import { ask, confirm, type Question, type QuestionGroup, type QuestionLink } from '../workbench/confirm.ts'
import { linkOf } from './references.ts'

/** `home`: the manifest that owns the entity; null for one outside. */
type Edited = { id: number; name: string; home: number | null; edits: readonly EntityEdit[]; scope: Scope }

/** Milliseconds after which a save no longer waits for its impact. */
const patience = 5000
const maxReferences = 100

/**
 * Before a save: if the edits break what others have, shows it and resolves to whether to save. An impact that cannot be worked out prevents
 * no save.
 */
export async function confirmImpact(
  { id, name, home, edits, scope }: Edited,
  words: Words = texts.entity,
): Promise<boolean> {
  const changed = impactOfEdits(edits)
  if (!changed.any) return true
  const impact = await entityImpact(id, edits, { scope, signal: AbortSignal.timeout(patience) }).catch(() => null)
  return isAccepted(impact && breakingPart(impact, changed, home), name, words)
}

/** Title and button of a question. */
type Words = { title: string; confirm: string }

async function isAccepted(breaking: EntityImpact | null, name: string, { title, confirm: confirmLabel }: Words) {
  if (!breaking) return true
  return confirm({ title, text: texts.saveText, details: [name], confirmLabel, ...impactParts(breaking) })
}

type EditedConfiguration = {
  /** The manifest. */
  id: number
  name: string
  /** Type of the database in the configuration. */
  database: string
  edits: readonly ConfigurationEdit[]
  scope: Scope
}

/** As `confirmImpact`, for edits of a configuration. Only a manifest that packages were built from is compared. */
export async function confirmConfigurationImpact(
  { id, name, database: type, edits, scope }: EditedConfiguration,
  words: Words = texts.configuration,
): Promise<boolean> {
  if (edits.length === 0) return true
  const options = { scope, signal: AbortSignal.timeout(patience) }
  const read = async () => {
    const packages = await packagesOf(id, options)
    if (packages.length === 0) return null
    const database = databaseTypeOf(type) ?? 'postgresql'
    const after = { kind: 'draft' as const, entities: [], configuration: [...edits] }
    const consequences = await readConsequences({ manifestId: id, before: { kind: 'now' }, after }, database, options)
    const manifest = { id, name, path: '', packages, database, ...consequences }
    return { references: [], totalReferences: 0, manifests: [manifest], moreManifests: 0, moreEntities: 0 }
  }
  const impact = await read().catch(() => null)
  return isAccepted(impact && breakingPart(impact, impactOfEdits([]), id), name, words)
}

/** Shows what depends on an entity, or on one of its columns, and what its unsaved edits mean. */
export async function showImpact(
  { id, name, edits, scope }: Omit<Edited, 'home'>,
  column?: { uid: string; name: string },
): Promise<void> {
  try {
    const impact = await entityImpact(id, edits, { scope })
    const isOwn = (item: DependentItem) => isConstraint(item) && item.id === id
    const references = impact.references.filter(item =>
      column ? item.target.attribute?.uid === column.uid : !isOwn(item),
    )
    const own = impact.references.length - references.length
    const totalReferences = column ? references.length : impact.totalReferences - own
    const parts = impactParts({ ...impact, references, totalReferences })
    const lines = [
      ...(references.length === 0 ? [texts.nothing] : []),
      ...(edits.length === 0 ? [texts.noChanges] : parts.groups.length === 0 ? [texts.noConsequences] : []),
    ]
    await ask({
      title: texts.title(column ? texts.of(name, column.name) : name),
      text: lines.join(' '),
      confirmLabel: null,
      ...parts,
    })
  } catch (failure) {
    notify('error', `${texts.failed}: ${messageOf(failure, messages.failed.unexpected)}`)
  }
}

/**
 * What a save asks about: callers and records of published packages, and references to what changed from entities of other manifests. Null
 * if there is none. Consequences for manifests that nobody runs, and renames within a manifest, break nothing.
 */
export function breakingPart(impact: EntityImpact, changed: EditImpact, home: number | null): EntityImpact | null {
  const manifests = impact.manifests.flatMap((manifest): AffectedManifest[] => {
    const { packages, api, schema } = manifest
    const steps = schema.steps.filter(({ grade }) => grade === 'losesData')
    if (packages.length === 0 || api.breaks.length + steps.length + schema.refusals.length === 0) return []
    return [{ ...manifest, problems: [], scopes: [], schema: { ...schema, steps } }]
  })
  const references = impact.references.filter(item => isElsewhere(item, home) && isChanged(item, changed))
  if (manifests.length + references.length === 0) return null
  const left = impact.totalReferences > impact.references.length && references.length > 0
  return { ...impact, manifests, references, totalReferences: left ? impact.totalReferences : references.length }
}

const ofContent: readonly DependentItem['kind'][] = ['relationship', 'alternativeTarget', 'extends']

function isElsewhere({ kind, manifests }: DependentItem, home: number | null): boolean {
  return ofContent.includes(kind) && manifests.length > 0 && !manifests.some(id => id === home)
}

function isChanged({ kind, target: { attribute } }: DependentItem, { entity, columns }: EditImpact): boolean {
  return entity || (kind === 'extends' ? columns.size > 0 : attribute !== undefined && columns.has(attribute.uid))
}

type Parts = Required<Pick<Question, 'groups' | 'consequences'>> & Pick<Question, 'affected'>

/** An impact as parts of a question. */
export function impactParts(impact: EntityImpact): Parts {
  const { references, totalReferences, moreManifests, moreEntities } = impact
  const links = references.slice(0, maxReferences).map(dependentLink)
  const more = totalReferences - links.length
  const heading = messages.referring.referredTo(totalReferences)
  const notes = more > 0 ? [texts.moreReferences(more)] : []
  return {
    groups: groupsOf(impact.manifests),
    consequences: [
      ...(moreManifests > 0 ? [texts.moreManifests(moreManifests)] : []),
      ...(moreEntities > 0 ? [texts.moreEntities(moreEntities)] : []),
    ],
    ...(links.length > 0 ? { affected: { heading, links, notes } } : {}),
  }
}

function isConstraint({ kind }: DependentItem): boolean {
  return kind === 'check' || kind === 'group'
}

function dependentLink({ kind, ...dependent }: DependentItem): QuestionLink {
  if (kind !== 'check' && kind !== 'group') return linkOf({ ...dependent, kind })
  const { item, id, name, path, target } = dependent
  const note = texts.constraints[kind](item, target.attribute?.name ?? '')
  return { document: { kind: 'entity', id, name, path }, note }
}

type Kind = keyof typeof texts.groups

const linesOf: { readonly [K in Kind]: (manifest: AffectedManifest) => readonly string[] } = {
  breaks: ({ api }) => api.breaks,
  losesData: ({ schema }) => stepsOf(schema, 'losesData'),
  refusals: ({ schema }) => schema.refusals,
  problems: ({ problems }) => problems,
  scopes: ({ scopes }) => scopes.map(({ operation, entity, after }) => texts.scope(operation, entity, after)),
  locks: ({ schema }) => stepsOf(schema, 'locks'),
}

const kinds = ['breaks', 'losesData', 'refusals', 'problems', 'scopes', 'locks'] as const satisfies readonly Kind[]
const dangerous: readonly Kind[] = ['breaks', 'losesData']

function groupsOf(manifests: readonly AffectedManifest[]): QuestionGroup[] {
  return kinds.flatMap(kind => {
    const parts = manifests.flatMap(manifest => {
      const lines = linesOf[kind](manifest)
      if (lines.length === 0) return []
      const { name, packages } = manifest
      return [{ name: packages.length > 0 ? texts.published(name, packages) : name, lines }]
    })
    return parts.length > 0 ? [{ ...texts.groups[kind], isDangerous: dangerous.includes(kind), parts }] : []
  })
}

function stepsOf({ steps }: AffectedManifest['schema'], grade: 'losesData' | 'locks'): string[] {
  return steps.filter(step => step.grade === grade).map(({ text }) => text)
}

export const partSeparator = ' · '

/** A line about unsaved edits, such as 'Changes the API of Shop (2 breaks) · alters tables'; '' if they have no impact. */
export function impactNote({ manifests, references }: EntityImpact, changed: EditImpact): string {
  const { note } = texts
  const breaking = manifests.filter(({ api }) => api.breaks.length > 0)
  const used = references.filter(item => ofContent.includes(item.kind) && isChanged(item, changed))
  const has = (kind: Kind) => manifests.some(manifest => linesOf[kind](manifest).length > 0)
  const parts = [
    ...(breaking.length > 0
      ? [
          note.breaks(
            breaking.map(({ name }) => name),
            breaking.reduce((sum, { api }) => sum + api.breaks.length, 0),
          ),
        ]
      : []),
    ...(['losesData', 'refusals', 'problems', 'locks'] as const).flatMap(kind => (has(kind) ? [note[kind]] : [])),
    ...(used.length > 0 ? [note.used(used.length, new Set(used.flatMap(item => item.manifests)).size)] : []),
  ]
  const line = parts.join(partSeparator)
  return line.charAt(0).toUpperCase() + line.slice(1)
}

/** What the edits of a draft change; undefined if nothing depends on it. */
export function changedBy(edits: readonly EntityEdit[]): EditImpact | undefined {
  const changed = impactOfEdits(edits)
  return changed.any ? changed : undefined
}
