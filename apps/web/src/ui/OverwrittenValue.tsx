import { visibleText } from '@cadmus/model/display'
import { Alert } from './Alert.tsx'

/** Shown in an open editor whose value was changed by another user: the value that saving would overwrite. */
export function OverwrittenValue({ value }: { value: string }) {
  return (
    <Alert kind="warning">
      <p>Someone else changed this. Save replaces:</p>
      <p>{visibleText(value || '-', { lines: true })}</p>
    </Alert>
  )
}
