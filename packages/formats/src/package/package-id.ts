import { identifierOf } from '../data-model/format.ts'

/** The visible package id. Different organisations may use the same id; the owner's uid is authoritative. */
export function packageId(organisation: string, namespace: string): string {
  return `${identifierOf(organisation).toLowerCase()}.${namespace}`
}
