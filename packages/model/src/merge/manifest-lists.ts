import type { DataStep } from '../data-steps.ts'
import type { Enumeration } from '../enumeration.ts'
import { inOrder, mergeItems, type Merge, Merging, type Three, three } from './items.ts'

/** The enumerations of a manifest that two sides changed, by uid and field. */
export function mergeEnumerations(lists: Three<readonly Enumeration[]>): Merge<Enumeration[]> {
  const merging = new Merging()
  const placed = three(lists, all => all.map((one, position) => ({ ...one, position })))
  const merged = mergeItems(merging, 'enumerations', ['name', 'description', 'values'], placed)
  const ordered = inOrder(merging, 'enumerations', merged, placed)
  return merging.answer(ordered.map(({ position: _position, ...enumeration }) => enumeration))
}

/** The data steps of a manifest that two sides changed, each as a whole. */
export function mergeDataSteps(lists: Three<readonly DataStep[]>): Merge<DataStep[]> {
  const merging = new Merging()
  const placed = three(lists, all =>
    all.map((step, position) => ({ uid: step.uid, name: step.attribute.name, step, position })),
  )
  const merged = mergeItems(merging, 'dataSteps', ['step'], placed)
  return merging.answer(inOrder(merging, 'dataSteps', merged, placed).map(({ step }) => step))
}
