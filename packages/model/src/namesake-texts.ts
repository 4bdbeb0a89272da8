import { grouped } from './grouped.ts'
/** What is said of entities of one name and of what can be done with them. */
export const namesakeTexts = {
  title: 'Entities of one name',
  strategies: {
    prefix: { label: 'Prefix by folder', hint: "The folder's name stands before their own: Sales_Order." },
    rename: { label: 'Number', hint: 'A number stands after their name: Order2.' },
    leaveOut: { label: 'Leave out', hint: 'They are taken out of the manifest; what a manifest owns is deleted.' },
  },
  preview: 'What becomes of them',
  looking: 'Looking for a way…',
  stays: 'stays as it is.',
  deleted: (manifests: string) => `deleted with its place in ${manifests}; what refers to it keeps its columns.`,
  leftOut: (manifests: string) => `taken out of ${manifests}; the entity lives on.`,
  undo: (deletes: boolean) =>
    deletes
      ? 'This cannot be taken back here: add a version of the manifest first to keep what is there now.'
      : 'References follow. To take it back, rename them: their logs tell the old names.',
  apply: ({ renamed, leftOut }: { renamed: number; leftOut: number }) =>
    [renamed > 0 && `Rename ${grouped(renamed)}`, leftOut > 0 && `Leave out ${grouped(leftOut)}`]
      .filter(Boolean)
      .join(', '),
  done: ({ renamed, leftOut }: { renamed: number; leftOut: number }) =>
    `Namesakes: ${grouped(renamed)} renamed, ${grouped(leftOut)} left out.`,
  changed: 'Others have changed these entities meanwhile. Look again at what becomes of them.',
  elsewhere: 'It belongs to a manifest that is not part of this one.',
  bound: (manifest: string) =>
    manifest === '' ? 'No manifest lists it.' : `${manifest} is predefined: remove that sub-manifest instead.`,
} as const
