// The tool of a board with a camera; the picture goes to the vision server that the peer named in `initialize`.

import type { Camera, Photo } from "../hardware/camera.js";
import type { Device } from "../hardware/device.js";
import { ToolError } from "../mcp/content.js";
import { string } from "../mcp/schema.js";
import { defineTool, READS } from "../mcp/tool.js";

const MAX_QUESTION_LENGTH = 500;

type WithCamera = Device & { readonly camera: Camera };

/** `self.camera.take_photo`, in the shape of the reference: the answer is the vision server's. */
export const takePhoto = defineTool({
	name: "self.camera.take_photo",
	description:
		"Takes a photo with the device's camera and answers a question about it. Use it when the user asks what the device sees, or to look at, read or recognize something.",
	properties: { question: string({ minLength: 1, maxLength: MAX_QUESTION_LENGTH, description: "What to find out from the photo" }) },
	annotations: READS,
	needs: ["camera"],
	async call({ question }, { camera, services }: WithCamera, { vision }) {
		if (!services?.see) throw new ToolError("This firmware was built without vision");
		if (!vision) throw new ToolError("This connection has no vision server that could look at a photo");
		if (camera.busy) throw new ToolError("A photo is being taken already");
		let photo: Photo | undefined;
		try {
			photo = await camera.take();
			return await services.see(photo.bytes, question, vision);
		} catch (error) {
			throw new ToolError(`No answer: ${(error as Error).message}`);
		} finally {
			photo?.close();
		}
	},
});
