import { removeParentEdits, setParentEdits, replacedKeyOf } from '@cadmus/model/edits/column-edits'
import { automaticKey, type EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { messages } from '@cadmus/model/messages'
import { type InheritedKey, inheritsKey, twoKeysMessage, twoKeysOf, withRestoredKey } from '@cadmus/model/one-key'
import { entityQuery } from '../../api/entities.ts'
import { queryClient } from '../../api/query-client.ts'
import { referringToAttributes, referringToInherited } from '../../commands/references.ts'
import { confirm } from '../../workbench/confirm.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { extendDialog } from './dialogs.ts'
import { entityStore } from './entity-store.ts'
import type { EntityView } from './entity-view.ts'

/** Picks the entity to extend, and asks how to handle references to a key that this removes. */
export function extendEntity({ key, entity }: EntityView): void {
  openDialog(extendDialog, {
    entity: { id: entity.id, name: entity.name, manifest: entity.targetManifest?.id ?? -1 },
    async onApply(parent) {
      const keys = await keysOf(parent.id)
      const content = contentOf(key)
      const twoKeys = content && twoKeysOf(content, keys)
      if (twoKeys && replacedKeyOf(content, keys) === undefined) return twoKeysMessage(content, twoKeys)
      // Not awaited: the dialog closes first, then a confirmation may follow.
      void setParent({ key, id: entity.id }, parent, keys)
      return undefined
    },
  })
}

async function setParent(
  { key, id }: { key: EntityView['key']; id: number },
  parent: EntityReference,
  keys: readonly InheritedKey[],
): Promise<void> {
  const draft = entityStore.get(key)?.draft
  const removedKey = draft && replacedKeyOf(draft.content, keys)
  const twoKeys = draft && twoKeysOf(draft.content, keys)
  const isStored = draft?.base.typeAttributes.some(item => item.uid === removedKey) ?? false
  // References follow the key by name if the inherited one has the same.
  const needsConfirmation = removedKey !== undefined && twoKeys !== undefined && isStored
  const { additions, chosen } = needsConfirmation
    ? await referringToAttributes(id, [removedKey])
    : { additions: {}, chosen: () => undefined }
  if (twoKeys && additions.affected) {
    const text = messages.keyGoes(twoKeys.own.name, twoKeys.inherited.name, parent.name)
    if (!(await confirm({ title: messages.confirm.extend, text, confirmLabel: 'Apply', danger: true, ...additions })))
      return
  }
  entityStore.edit(key, content => setParentEdits(content, { parent, keys }, chosen()))
}

/** Stops extending after a confirmation that lists references to inherited attributes. */
export async function deleteExtends({ key, entity, draft: { base, content } }: EntityView): Promise<void> {
  const parent = content.extendsEntity
  if (!parent) return
  const keys = await keysOf(parent.id).catch(() => [])
  const consequence = `${content.name} will no longer inherit the attributes of ${parent.name}.`
  const own = automaticKey().name
  const becomes = withRestoredKey(content) === content ? messages.noKeyLeft(own) : messages.keyComesBack(own)
  const text = inheritsKey(content, keys) ? `${consequence} ${becomes}` : consequence
  const question = { title: messages.confirm.deleteExtended, text, confirmLabel: 'Delete', danger: true }
  // Nothing can refer to attributes inherited only since the last save.
  const inherits = base.extendsEntity?.id === parent.id
  const { additions, chosen, uids } = inherits ? await referringToInherited(entity.id) : noReferences
  if (!(await confirm({ ...question, ...additions }))) return
  const answer = chosen()
  const onReferences = answer ? Object.fromEntries(uids.map(uid => [uid, answer])) : {}
  entityStore.edit(key, current => removeParentEdits(current, keys, onReferences))
}

const noReferences: Awaited<ReturnType<typeof referringToInherited>> = {
  additions: {},
  chosen: () => undefined,
  uids: [],
}

function contentOf(key: EntityView['key']): EntityContent | undefined {
  return entityStore.get(key)?.draft.content
}

/** Current keys of an entity, own or inherited. */
async function keysOf(id: number): Promise<readonly InheritedKey[]> {
  const { entity } = await queryClient.fetchQuery({ ...entityQuery(id), staleTime: 0 })
  return (entity.resolvedAttributes ?? []).filter(column => column.isPrimaryKey)
}
