import { formatCount } from './format-count.ts'
/** Texts about name conflicts and their resolution. */
export const nameConflictTexts = {
  title: 'Name conflicts',
  strategies: {
    prefix: { label: 'Prefix by folder', hint: "Puts the folder's name before the entity names: Sales_Order." },
    rename: { label: 'Number', hint: 'Puts a number after the entity names: Order2.' },
    leaveOut: {
      label: 'Leave out',
      hint: 'Removes the entities from the manifest; entities that a manifest owns are deleted.',
    },
  },
  preview: 'Result',
  looking: 'Resolving…',
  stays: 'is unchanged.',
  deleted: (manifests: string) => `deleted and removed from ${manifests}; columns that refer to it are kept.`,
  leftOut: (manifests: string) => `removed from ${manifests}; the entity itself is kept.`,
  undo: (deletes: boolean) =>
    deletes
      ? 'This cannot be undone: create a version of the manifest first to keep the current state.'
      : 'References are updated. To undo this, rename the entities again: their logs contain the old names.',
  apply: ({ renamed, leftOut }: { renamed: number; leftOut: number }) =>
    [renamed > 0 && `Rename ${formatCount(renamed)}`, leftOut > 0 && `Leave out ${formatCount(leftOut)}`]
      .filter(Boolean)
      .join(', '),
  done: ({ renamed, leftOut }: { renamed: number; leftOut: number }) =>
    `Name conflicts resolved: ${formatCount(renamed)} renamed, ${formatCount(leftOut)} left out.`,
  changed: 'Others have changed these entities. Check the result again.',
  elsewhere: 'It belongs to a manifest outside of this one.',
  bound: (manifest: string) =>
    manifest === '' ? 'No manifest lists it.' : `${manifest} is predefined: remove that sub-manifest instead.`,
} as const
