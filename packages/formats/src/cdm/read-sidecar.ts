import { newEntityAttribute, type EntityAttribute, type EntityReference } from '@cadmus/model/entity-attribute'
import { columnName, columnsOf } from '@cadmus/model/columns'
import { groupRequest } from '@cadmus/model/group'
import { checkRequest } from '@cadmus/model/conditions/check-request'
import { constraintsWithUids, withSettledConstraints } from '@cadmus/model/constraints'
import { enumerationLimits } from '@cadmus/model/data-types'
import type { Enumeration } from '@cadmus/model/enumeration'
import { limits } from '@cadmus/model/limits'
import { enumerationTexts } from '@cadmus/model/messages/enumerations'
import { contentTexts } from '@cadmus/model/messages/values'
import { foldName } from '@cadmus/model/paths'
import { sidecarNames } from '@cadmus/model/fields/field'
import { relationshipFields } from '@cadmus/model/fields/relationship'
import { typeAttributeFields } from '@cadmus/model/fields/type-attribute'
import { newTypeAttribute, type TypeAttribute } from '@cadmus/model/type-attribute'
import { newEnumerationFault } from '@cadmus/model/rules/enumerations'
import { defaultKind, defaultValue, format, precision } from '@cadmus/model/rules/type-attribute'
import { StoredFormError } from '@cadmus/model/stored/stored-form'
import { isUid, newUid } from '@cadmus/model/uid'
import { isAboutOneDocument } from '../import-error.ts'
import type { ImportedEntity, ImportedManifest } from '../imported-model.ts'
import {
  hashOf,
  readSidecar,
  sidecarFile,
  type SidecarAttribute,
  type SidecarEntity,
  type SidecarManifest,
  type SidecarNote,
  type SidecarReference,
} from './sidecar.ts'
import { folderOfPath, type Corpus } from './corpus.ts'
import type { Report } from './report.ts'

type Item = { kind: 'type'; attribute: TypeAttribute } | { kind: 'relationship'; attribute: EntityAttribute }

/**
 * Reads the sidecar files of an exported folder and applies them to the imported model, as far as the documents are
 * unchanged.
 */
export class Sidecar {
  readonly #corpus: Corpus
  readonly #report: Report
  readonly #folder: string
  readonly #imported: { has(corpusPath: string): boolean }
  readonly #entities = new Map<string, SidecarEntity>()
  readonly #manifests = new Map<string, SidecarManifest>()
  readonly #notes: SidecarNote[] = []
  readonly #uids = new Set<string>()

  constructor(root: string, imported: { has(corpusPath: string): boolean }, corpus: Corpus, report: Report) {
    this.#corpus = corpus
    this.#report = report
    this.#imported = imported
    this.#folder = folderOfPath(root)
    for (let number = 1; this.#read(number); number++);
  }

  entity(imported: ImportedEntity, document: { path: string; version: string | undefined }): ImportedEntity {
    const record = this.#entities.get(imported.corpusPath)
    if (!record) return imported
    const uid = this.#uid(record.uid, imported.corpusPath)
    const identified = { ...imported, uid, copiedFrom: uidOrNull(record.copiedFrom), version: document.version ?? null }
    if (this.#isAsWritten(document.path, record.hash))
      return withConstraints(this.#applyUnchanged(identified, record), record)
    this.#report.changed(
      document.path,
      'It was changed after the export: its current content was imported. Properties that CDM does not support were restored if they still fit.',
    )
    return withConstraints(this.#applyChanged(identified, record), record)
  }

  manifest(
    imported: ImportedManifest,
    { path, version }: { path: string; version: string | undefined },
  ): ImportedManifest {
    const record = this.#manifests.get(path)
    if (!record) return imported
    const enumerations = this.#enumerations(record.enumerations, path)
    const identified = { ...imported, uid: this.#uid(record.uid, path), version: version ?? null, enumerations }
    if (!this.#isAsWritten(path, record.hash)) return identified
    const { name = imported.name, importsPath = imported.importsPath } = record
    return { ...identified, name, importsPath }
  }

  /** The enumerations that could be saved. */
  #enumerations(recorded: readonly Enumeration[] = [], path: string): Enumeration[] {
    const valid: Enumeration[] = []
    const uids = new Set<string>()
    for (const one of recorded.slice(0, enumerationLimits.max)) {
      const fault = uids.has(one.uid) ? contentTexts.unusableUid : newEnumerationFault(one, valid)
      if (fault !== undefined) this.#report.lost(path, enumerationTexts.inEnumeration(one.name, fault))
      else valid.push(one)
      uids.add(one.uid)
    }
    if (recorded.length > enumerationLimits.max)
      this.#report.lost(path, `${enumerationTexts.tooMany} Others are left out.`)
    return valid
  }

  /** Repeats the notes of the export, because the folder does not contain the information in them. */
  reportNotes(): void {
    for (const { path, message } of this.#notes) this.#report.lost(path, message)
  }

  /** Reads the sidecar file of that number and ignores unsupported contents; false if there is no such file. */
  #read(number: number): boolean {
    const name = sidecarFileName(number)
    const path = this.#folder === '' ? name : `${this.#folder}/${name}`
    const json = this.#json(path)
    if (json === undefined) return false
    const sidecar = this.#sidecar(json, path)
    if (sidecar === undefined) return false
    const understood = <T>(items: readonly (T | null)[]): T[] =>
      items.flatMap(item => {
        if (item === null) this.#report.lost(path, 'Unsupported content in it was left out.')
        return item === null ? [] : [item]
      })
    for (const one of understood(sidecar.entities)) this.#entities.set(this.#corpusPath(one.path), one)
    for (const one of understood(sidecar.manifests)) this.#manifests.set(this.#corpusPath(`/${one.path}`).slice(1), one)
    this.#notes.push(...understood(sidecar.notes))
    return true
  }

  #sidecar(json: unknown, path: string): ReturnType<typeof readSidecar> | undefined {
    try {
      return readSidecar(json)
    } catch (error) {
      if (!(error instanceof StoredFormError)) throw error
      const { actual, expected, reason } = error
      const isOther = actual !== undefined && actual !== expected
      const why = isOther ? reason.replace(/^i/, 'I') : 'Its format is not supported'
      this.#report.lost(path, `${why}: the documents were imported without it.`)
      return undefined
    }
  }

  #json(path: string): unknown {
    try {
      return this.#corpus.json(path)
    } catch (error) {
      if (!isAboutOneDocument(error)) throw error
      this.#report.lost(path, error.message)
      return undefined
    }
  }

  /** Prefixes a path with the folder's location, which may lie in another folder. */
  #corpusPath(path: string): string {
    return this.#folder === '' ? path : `/${this.#folder}${path}`
  }

  #isAsWritten(path: string, hash: string): boolean {
    const content = this.#corpus.content(path)
    return content !== undefined && hashOf(content) === hash
  }

  /** Returns null and reports it if the uid is invalid or already used. */
  #uid(uid: string, path: string): string | null {
    const isFree = isUid(uid) && !this.#uids.has(uid)
    if (isFree) this.#uids.add(uid)
    else this.#report.changed(path, 'Its uid is invalid or already used; it gets a new one.')
    return isFree ? uid : null
  }

  /** The document is unchanged: the sidecar's values apply as they are. */
  #applyUnchanged(imported: ImportedEntity, record: SidecarEntity): ImportedEntity {
    const items = itemsOf(imported)
    const { name = imported.name, traits = imported.traits } = record
    const { referenceImportPaths = imported.referenceImportPaths } = record
    const parent = record.extendsEntity === undefined ? undefined : this.#corpusPath(record.extendsEntity)
    const isHidden = parent !== undefined && this.#imported.has(parent)
    const records = new Map(record.attributes.map(one => [one.name, one]))
    const hidden = new Set(isHidden ? record.inherited : [])
    const order = new Map([...records.keys()].map((key, index) => [key, index]))
    const remaining = [...items].filter(([key]) => !hidden.has(key))
    // If only own attributes remain, the sidecar's order applies, otherwise the document's.
    if (remaining.every(([key]) => order.has(key)))
      remaining.sort(([a], [b]) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
    const merged = remaining.map(([key, item]) => {
      const one = records.get(key)
      return one ? this.#attribute(item, one, `${imported.corpusPath.slice(1)}/${key}`) : item
    })
    return withItems(
      { ...imported, name, traits, referenceImportPaths, extendsEntity: isHidden ? parent : imported.extendsEntity },
      merged,
    )
  }

  #attribute(item: Item, record: SidecarAttribute, place: string): Item {
    const uid = (record.uid === undefined ? null : this.#uid(record.uid, place)) ?? newUid()
    if (record.kind === 'type') {
      const plain = item.kind === 'type' ? item.attribute : newTypeAttribute({ name: record.name, position: 0 })
      return { kind: 'type', attribute: { ...plain, ...identified(record.fields), uid } }
    }
    const { associatedEntity: target, alternativeTargets, ...fields } = record.fields
    const restored = target === undefined ? undefined : this.#reference(target)
    const plain = item.kind === 'relationship' ? item.attribute : undefined
    const associatedEntity = restored ?? plain?.associatedEntity
    if (!associatedEntity) return { kind: 'type', attribute: { ...asType(item), uid } }
    const base =
      plain ??
      newEntityAttribute({
        associatedEntity,
        associatedEntityTypeAttribute: '',
        foreignKeyTypeAttribute: record.name,
        position: 0,
      })
    const alternatives = alternativeTargets?.flatMap(({ entity, attribute }) => {
      const reference = this.#reference(entity)
      return reference ? [{ entity: reference, attribute }] : []
    })
    return {
      kind: 'relationship',
      attribute: {
        ...base,
        ...identified(fields),
        associatedEntity,
        alternativeTargets: alternatives ?? base.alternativeTargets,
        uid,
      },
    }
  }

  #reference(reference: SidecarReference): EntityReference | undefined {
    if (typeof reference !== 'string') return { id: -1, ...reference }
    const path = this.#corpusPath(reference)
    return this.#imported.has(path) ? { id: -1, name: path.slice(path.lastIndexOf('/') + 1), path } : undefined
  }

  /** The document was changed: matches attributes by name and restores properties that CDM cannot express. */
  #applyChanged(imported: ImportedEntity, { attributes }: SidecarEntity): ImportedEntity {
    const records = new Map(attributes.map(one => [one.name, one]))
    const items = [...itemsOf(imported)].map(([name, item]) => {
      const record = records.get(name)
      if (!record || record.kind !== item.kind) return item
      const merged = this.#attribute(item, withoutStated(record), `${imported.corpusPath.slice(1)}/${name}`)
      if (merged.kind !== 'type' || item.kind !== 'type') return merged
      return { ...merged, attribute: dropUnfit(merged.attribute, item.attribute) }
    })
    return withItems(imported, items)
  }
}

/** The first file has no number. */
export function sidecarFileName(number: number): string {
  return number === 1 ? sidecarFile : sidecarFile.replace('.', `-${number}.`)
}

/** The entity with the groups and checks of the record that could be saved, without those of columns that it no longer has. */
function withConstraints(
  entity: ImportedEntity,
  { groups: recordedGroups = [], checks: recordedChecks = [], attributes }: SidecarEntity,
): ImportedEntity {
  const groups = recordedGroups.slice(0, limits.groups.max).filter(group => groupRequest.safeParse(group).success)
  const checks = recordedChecks.slice(0, limits.checks.max).filter(check => checkRequest.safeParse(check).success)
  if (groups.length + checks.length === 0) return entity
  const byName = new Map(columnsOf(entity).map(column => [foldName(columnName(column)), column.uid]))
  const own = new Set(byName.values())
  const recorded = attributes.map(({ uid = '', name }) => newTypeAttribute({ uid, name, position: 0 }))
  const names = new Map(recorded.map(({ uid, name }) => [uid, name]))
  // A column whose uid was in use has another one.
  const linked = constraintsWithUids({ groups, checks }, uid =>
    own.has(uid) ? uid : byName.get(foldName(names.get(uid) ?? '')),
  )
  return withSettledConstraints(
    { ...entity, ...linked },
    { groups: [], checks: [], typeAttributes: recorded, entityAttributes: [] },
  )
}

const sidecarOnly = {
  type: new Set<string>(sidecarNames(typeAttributeFields)),
  relationship: new Set<string>(sidecarNames(relationshipFields)),
}

/** Keeps only properties that a CDM document cannot contain. */
function withoutStated(record: SidecarAttribute): SidecarAttribute {
  const fields = Object.entries(record.fields).filter(([name]) => sidecarOnly[record.kind].has(name))
  return { ...record, fields: Object.fromEntries(fields) }
}

/** Drops sidecar values that do not fit the attribute's current type; the document's values then apply. */
function dropUnfit(merged: TypeAttribute, stated: TypeAttribute): TypeAttribute {
  const fitsFormat = format(merged.format, merged) === undefined
  const fitsDigits = precision(merged.precision, merged) === undefined
  const whole = {
    ...merged,
    ...(fitsFormat ? {} : { format: stated.format }),
    ...(fitsDigits ? {} : { precision: stated.precision, scale: stated.scale }),
  }
  const { defaultValue: text, defaultKind: kind } = whole
  const fitsDefault = defaultValue(text, whole) === undefined && defaultKind(kind, whole) === undefined
  return fitsDefault ? whole : { ...whole, defaultValue: stated.defaultValue, defaultKind: stated.defaultKind }
}

function identified<T extends { copiedFrom?: string | null | undefined }>(fields: T) {
  return 'copiedFrom' in fields ? { ...fields, copiedFrom: uidOrNull(fields.copiedFrom) } : fields
}

function uidOrNull(uid: string | null | undefined): string | null {
  return uid !== undefined && uid !== null && isUid(uid) ? uid : null
}

/** A relationship whose target is missing becomes a type attribute. */
function asType(item: Item): TypeAttribute {
  if (item.kind === 'type') return item.attribute
  const {
    foreignKeyTypeAttribute: name,
    foreignKeyDataType: dataType,
    foreignKeyPurpose: purpose,
    nullable,
  } = item.attribute
  return newTypeAttribute({ name, dataType, purpose, nullable, position: item.attribute.position })
}

/** Attributes and relationships by document name, in order. */
function itemsOf({ typeAttributes, entityAttributes }: ImportedEntity): Map<string, Item> {
  const types = typeAttributes.map((attribute): [string, Item] => [attribute.name, { kind: 'type', attribute }])
  const keys = entityAttributes.map((attribute): [string, Item] => [
    attribute.foreignKeyTypeAttribute,
    { kind: 'relationship', attribute },
  ])
  return new Map([...types, ...keys].toSorted(([, a], [, b]) => a.attribute.position - b.attribute.position))
}

function withItems(imported: ImportedEntity, items: readonly Item[]): ImportedEntity {
  const placed = items.map((item, position): Item => {
    if (item.kind === 'type') return { kind: 'type', attribute: { ...item.attribute, position } }
    return { kind: 'relationship', attribute: { ...item.attribute, position } }
  })
  return {
    ...imported,
    typeAttributes: placed.flatMap(item => (item.kind === 'type' ? [item.attribute] : [])),
    entityAttributes: placed.flatMap(item => (item.kind === 'relationship' ? [item.attribute] : [])),
  }
}
