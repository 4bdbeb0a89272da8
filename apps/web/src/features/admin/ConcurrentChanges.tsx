import { Alert } from '../../ui/Alert.tsx'

/** Lists the concurrent changes that the next save of the dialog replaces. */
export function ConcurrentChanges({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <Alert kind="warning">
      <p>Someone else changed this. Save replaces:</p>
      {lines.map(line => (
        <p key={line}>{line}</p>
      ))}
    </Alert>
  )
}
