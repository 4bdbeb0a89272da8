import { messages } from '../messages.ts'
import { keyDataTypes, type DataType, type KeyDataType } from '../data-types.ts'

export function keyDataType(value: DataType, { isKey }: { isKey: boolean }): string | undefined {
  return isKey && !isKeyDataType(value) ? messages.keyDataType : undefined
}

/** Whether a primary key may have the data type. */
export function isKeyDataType(value: string): value is KeyDataType {
  return keyDataTypes.some(type => type === value)
}
