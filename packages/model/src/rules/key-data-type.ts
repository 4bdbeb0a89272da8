import { messages } from '../messages.ts'
import { keyDataTypes, type DataType, type KeyDataType } from '../type-attribute.ts'

/** A primary key is an integer or a string. */
export function keyDataType(value: DataType, { isKey }: { isKey: boolean }): string | undefined {
  return isKey && !isKeyDataType(value) ? messages.keyDataType : undefined
}

/** The data types a field offers: the two of a key, or all. */
export function isKeyDataType(value: string): value is KeyDataType {
  return keyDataTypes.some(type => type === value)
}
