/** The message with the name of the thing that it is about. */
export function namedMessage(message: string, name: string | undefined): string {
  return name === undefined ? message : `${message.replace(/\.$/, '')}: '${name}'.`
}
