import { Alert } from '../../ui/Alert.tsx'

/** In a dialog whose save met other people's changes: what stands there now, which the next save replaces. */
export function Meanwhile({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <Alert kind="warning">
      <p>It was changed meanwhile, and Save replaces that:</p>
      {lines.map(line => (
        <p key={line}>{line}</p>
      ))}
    </Alert>
  )
}
