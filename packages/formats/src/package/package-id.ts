import { identifierOf } from '../data-model/format.ts'

/** What people see of whose package it is: several organisations may have the same, and the owner's uid tells them apart. */
export function packageId(organisation: string, namespace: string): string {
  return `${identifierOf(organisation).toLowerCase()}.${namespace}`
}
