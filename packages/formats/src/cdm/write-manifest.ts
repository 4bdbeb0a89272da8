import { FreeNames } from '@cadmus/model/free-names'
import type { ManifestNode } from '@cadmus/model/manifest'
import { folderOfPath } from './corpus.ts'
import { listedIn, pathIn, type Layout, type Place } from './layout.ts'
import { foundations } from './write-entity.ts'
import type { WrittenDocument } from './written-model.ts'

type Json = Record<string, unknown>
type Relationship = { from: WrittenDocument; attribute: string; to: Place; key: string }

/** Writes manifests with all relationships that start or end at their entities. */
export class ManifestWriter {
  readonly #documents: ReadonlyMap<number, WrittenDocument>
  readonly #layout: Layout
  readonly #from = new Map<number, readonly Relationship[]>()
  readonly #to = new Map<number, Relationship[]>()

  constructor(documents: ReadonlyMap<number, WrittenDocument>, layout: Layout) {
    this.#documents = documents
    this.#layout = layout
    for (const [id, document] of documents) {
      const starting = [...document.all.keys()].flatMap((attribute): Relationship[] => {
        const target = document.targets.get(attribute)
        if (!target) return []
        const relationship = { from: document, attribute, to: target.entity.place, key: target.attribute.name }
        const ending = this.#to.get(target.entity.entity.id)
        if (ending) ending.push(relationship)
        else this.#to.set(target.entity.entity.id, [relationship])
        return [relationship]
      })
      this.#from.set(id, starting)
    }
  }

  json(manifest: ManifestNode, place: Place, version: string | undefined): Json {
    const folder = folderOfPath(place.path)
    const members = membersOf(manifest, this.#documents)
    // Declared names must be unique in a manifest; the path identifies the entity.
    const declared = new FreeNames({ fold: one => one })
    return {
      $schema: 'CdmManifest.cdm.json',
      jsonSchemaSemanticVersion: '1.0.0',
      ...(version === undefined ? {} : { documentVersion: version }),
      imports: [foundations],
      manifestName: place.name,
      ...(manifest.description === '' ? {} : { explanation: manifest.description }),
      entities: members.map(member => ({
        type: 'LocalEntity',
        entityName: declared.take(member.place.name),
        entityPath: entityPath(folder, member.place),
      })),
      subManifests: listedIn(manifest, this.#layout).map(sub => ({
        manifestName: sub.name,
        definition: pathIn(folder, sub.path),
      })),
      relationships: this.#relationships(members, folder),
    }
  }

  #relationships(members: readonly WrittenDocument[], folder: string): Json[] {
    const ids = members.map(({ entity }) => entity.id)
    const all = new Set([...ids.flatMap(id => this.#from.get(id) ?? []), ...ids.flatMap(id => this.#to.get(id) ?? [])])
    return [...all].map(({ from, attribute, to, key }) => ({
      fromEntity: entityPath(folder, from.place),
      fromEntityAttribute: attribute,
      toEntity: entityPath(folder, to),
      toEntityAttribute: key,
    }))
  }
}

/** The exported entities of a manifest, without duplicates. */
export function membersOf(
  { entities }: ManifestNode,
  documents: ReadonlyMap<number, WrittenDocument>,
): WrittenDocument[] {
  return [...new Set(entities.map(({ id }) => id))].flatMap(id => documents.get(id) ?? [])
}

function entityPath(folder: string, { path, name }: Place): string {
  return `${pathIn(folder, path)}/${name}`
}
