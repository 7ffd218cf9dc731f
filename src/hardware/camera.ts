// A camera that makes JPEG pictures by itself.

/** A picture in the camera's own memory. */
export interface Photo {
	/** The JPEG file; not valid after `close`. */
	readonly bytes: Uint8Array;
	/** The file in base64, in texts one after the other that stay valid. */
	base64(): readonly string[];
	/** Gives the memory back. May be called twice. */
	close(): void;
}

/** A camera that makes JPEG pictures by itself. */
export interface Camera {
	/** Has somebody a photo that is not closed, or is one being taken? */
	readonly busy: boolean;
	/** Takes a photo, one at a time. Rejects with an Error in plain words when there is none. */
	take(): Promise<Photo>;
	close(): void;
}
