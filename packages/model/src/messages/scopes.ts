import { formatCount } from '../display.ts'

type Sum = {
  served: number
  open: number
  /** How the API treats callers; `scopes`: operations without scopes are the exception. */
  settings: 'noApi' | 'anyone' | 'noRbac' | 'scopes'
}

/** How many operations of an API require no scope, and who may call them. The same sentence wherever it matters. */
export function openSum({ served, open, settings }: Sum): string {
  if (settings === 'noApi') return 'No operation is served: no API type is selected.'
  if (served === 0) return 'No operation is served.'
  const all = served === 1 ? 'The only operation' : `All ${formatCount(served)} operations`
  const takes = served === 1 ? 'requires' : 'require'
  if (settings === 'anyone') return `${all} may be called by anyone: Security is None.`
  if (settings === 'noRbac') return `${all} may be called by every authenticated caller: RBAC is off.`
  if (open === 0) return `${all} ${takes} a scope.`
  const some = `${formatCount(open)} of ${formatCount(served)} ${served === 1 ? 'operation' : 'operations'}`
  return `${some} ${open === 1 ? 'requires' : 'require'} no scope: every authenticated caller may use ${open === 1 ? 'it' : 'them'}.`
}
