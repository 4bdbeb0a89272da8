import { limits } from '../limits.ts'
import { hiddenPackages } from '../package.ts'
import { packageMessages } from '../package-messages.ts'
import { boundedText } from './bounded-name.ts'

/** Name of a package: the folder in its zip, and its name on an instance. */
export function packageName(value: string): string | undefined {
  const problem = boundedText(value, limits.packageName)
  if (problem) return problem
  if (!/^[A-Za-z0-9_-]+$/.test(value)) return packageMessages.namePattern
  const isReserved = hiddenPackages.includes(value.toLowerCase())
  return isReserved ? packageMessages.nameReserved(value) : undefined
}
