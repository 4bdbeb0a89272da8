export function uidOf({ uid }: { uid: string }): string {
  return uid
}
