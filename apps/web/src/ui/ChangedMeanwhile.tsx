import { visibleText } from '@cadmus/model/visible-text'
import { Alert } from './Alert.tsx'

/** In an editor that is open over a value that changed below it, as where somebody else saved: what Save would replace. */
export function ChangedMeanwhile({ value }: { value: string }) {
  return (
    <Alert kind="warning">
      <p>Someone else changed this. Save replaces:</p>
      <p>{visibleText(value || '-', { lines: true })}</p>
    </Alert>
  )
}
