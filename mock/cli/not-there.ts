/** Nothing is wrong with the command, but with the moment: to wait may help. */
export class NotThere extends Error {}
