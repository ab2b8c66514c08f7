/** What somebody asked for cannot be done: the message says why. Anything else thrown is a defect. */
export class Refused extends Error {}
